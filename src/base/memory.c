/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - allocates memory for the tool, and ends the tool if there is none. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

void *hd_not_null(void *p)
{
    HD_INVARIANT(p != NULL, "out of memory");
    return p;
}

void *hd_zeroed(size_t n, size_t each)
{
    return hd_not_null(calloc(n > 0 ? n : 1, each));
}

void *hd_resized(void *p, size_t n, size_t each)
{
    return hd_not_null(reallocarray(p, n, each));
}

char *hd_copied(const char *text)
{
    return hd_not_null(strdup(text));
}

FILE *hd_memory_stream(char **text, size_t *size)
{
    return hd_not_null(open_memstream(text, size));
}

char *hd_formatted_list(const char *fmt, va_list ap)
{
    char *text = NULL;

    return hd_not_null(vasprintf(&text, fmt, ap) >= 0 ? text : NULL);
}

char *hd_formatted(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    char *text = hd_formatted_list(fmt, ap);

    va_end(ap);
    return text;
}

char *hd_text_of_file(const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t cap = 0;

    if (f == NULL)
        return NULL;
    if (getdelim(&text, &cap, '\0', f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}
