/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_history.c - `heddle history`: judges recorded histories. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "history/judge.h"

/* Returns the contents as a text, or NULL after a message. */
static char *read_file(const char *name)
{
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    char *text = NULL;
    size_t n = 0, got;

    if (in != NULL) {
        do {
            text = hd_resized(text, n + 65537, 1);
            got = fread(text + n, 1, 65536, in);
            n += got;
        } while (got > 0);
        text[n] = '\0';
    }
    if (in == NULL || ferror(in)) {
        fprintf(stderr, "heddle: cannot read %s: %s\n", name, strerror(errno));
        free(text);
        text = NULL;
    } else if (strlen(text) != n) {
        fprintf(stderr, "heddle: %s: it is not a text: it contains a zero byte\n", name);
        free(text);
        text = NULL;
    }
    if (in != NULL && in != stdin)
        fclose(in);
    return text;
}

static void tell(const char *file, const struct hd_history *h, const struct hd_history_result *r)
{
    char text[512];

    if (r->verdict == HD_HISTORY_FITS) {
        printf("%s: linearizable: %u operations of %u clients, model %s", file, h->n, h->clients.n, hd_model_words[h->model]);
        if (r->parts > 1)
            printf(", %u parts", r->parts);
        putchar('\n');
        return;
    }
    hd_history_describe(h, r->at, text, sizeof text);
    printf("%s:%u: %s: %.100s: %s\n  %s\n", file, r->at->line,
           r->verdict == HD_HISTORY_MISFIT ? "not linearizable" : "unknown", h->clients.text[r->at->client], text, r->reason);
    if (r->key != HD_NEVER)
        printf("  judged by itself: operations with %.100s\n", h->values.text[r->key]);
}

/* Returns the exit code for one file. */
static int judge(const struct hd_options *o, const char *file, enum hd_model model)
{
    static const int codes[] = { HD_EXIT_CLEAN, HD_EXIT_BUDGET, HD_EXIT_FINDING };
    struct hd_history h;
    struct hd_history_result r;
    char message[600], *text = read_file(file);
    int code = HD_EXIT_USAGE;

    if (text == NULL)
        return code;
    if (hd_history_read(&h, text, model, message, sizeof message)) {
        hd_history_judge(&h, o->steps, &r);
        if (!o->quiet || r.verdict != HD_HISTORY_FITS)
            tell(file, &h, &r);
        code = codes[r.verdict];
    } else {
        fprintf(stderr, "heddle: %s: %s\n", file, message);
    }
    hd_history_free(&h);
    free(text);
    return code;
}

/* Returns the more important exit code: first a finding, then a file that could not be read. */
static int worse(int a, int b)
{
    static const int rank[] = { [HD_EXIT_CLEAN] = 0, [HD_EXIT_BUDGET] = 1, [HD_EXIT_USAGE] = 2, [HD_EXIT_FINDING] = 3 };

    return rank[a] > rank[b] ? a : b;
}

int hd_cmd_history(const struct hd_options *o)
{
    enum hd_model model = o->model != NULL ? hd_model_find(o->model) : HD_MODELS;
    int code = HD_EXIT_CLEAN;

    if (o->model != NULL && model == HD_MODELS) {
        struct hd_suggestion s = hd_suggest_for(o->model);

        for (int i = 0; i < HD_MODELS; i++)
            hd_suggest_offer(&s, hd_model_words[i]);
        fprintf(stderr, "heddle: --model: there is no model '%s'%s%s%s; there are register, cas-register, counter, queue, "
                        "stack, set, map\n", o->model, s.best != NULL ? ", did you mean '" : "",
                s.best != NULL ? s.best : "", s.best != NULL ? "'?" : "");
        return HD_EXIT_USAGE;
    }
    for (int i = 0; i < o->nargs; i++)
        code = worse(code, judge(o, o->args[i], model));
    return code;
}
