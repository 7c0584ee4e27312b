/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scope.c - see scope.h. */
#include "program/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "program/elf_info.h"
#include "scan/image.h"

/* Returns the test that the arguments choose; NULL: several, or all. */
static const char *chosen(char *const *argv)
{
    const char *test = NULL, *only = NULL;
    unsigned n = 0;

    for (unsigned i = 1; argv[i] != NULL; i++) {
        if (strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else if (argv[i][0] != '-' && n++ == 0)
            test = argv[i];
    }
    return only != NULL ? only : n == 1 ? test : NULL;
}

/* Returns the text after `word` and a blank; NULL: the text begins otherwise. */
static const char *after(const char *text, const char *word)
{
    size_t n = strlen(word);

    return strncmp(text, word, n) == 0 && text[n] == ' ' ? text + n + 1 : NULL;
}

static void add(struct hd_scopes *s, const char *text, const char *test)
{
    const char *within = after(text, "within"), *of = within != NULL ? within : after(text, "without");
    const char *function = of != NULL ? after(of, test) : NULL;

    if (function != NULL && *function != '\0')
        *HD_PUSH(s->list, s->n) = (struct hd_scope){ within != NULL, hd_copied(function) };
}

void hd_scope_read(struct hd_scopes *out, char *const *argv)
{
    const char *test = chosen(argv);
    struct hd_elf_info info;
    struct hd_image im;
    size_t size = 0;

    *out = (struct hd_scopes){ 0 };
    if (test == NULL || !hd_elf_inspect(argv[0], &info) || !hd_image_open(&im, info.path))
        return;
    const char *text = (const char *)hd_image_bytes(&im, "heddle_scope", &size);

    /* the compiler may put zeros between the texts */
    for (size_t at = 0; text != NULL && at < size; at++) {
        size_t n = strnlen(text + at, size - at);

        if (n > 0 && at + n < size)
            add(out, text + at, test);
        at += n;
    }
    hd_image_close(&im);
}

void hd_scope_free(struct hd_scopes *s)
{
    for (unsigned i = 0; i < s->n; i++)
        free(s->list[i].function);
    free(s->list);
    *s = (struct hd_scopes){ 0 };
}
