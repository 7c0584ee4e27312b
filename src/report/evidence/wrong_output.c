/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wrong_output.c - shows a short difference: the expected and the printed lines, from the first line that differs
 * on. */
#include "report/evidence/wrong_output.h"

#include <string.h>

#include "report/evidence/describe.h"

enum { EXPECTED, PRINTED };

static const struct hd_output_diff *diff_of(const struct hd_report *r)
{
    const struct hd_section *s = hd_finding_section(r->finding, HD_SEC_OUTPUT_DIFF, HD_NO_TID);

    return s != NULL && s->bytes >= sizeof(struct hd_output_diff)
               ? (const struct hd_output_diff *)(const void *)(s + 1) : NULL;
}

static const char *compared_with(const struct hd_report *r)
{
    return r->wire->config.expect == HD_EXPECT_SAME ? "that of another execution" : "the expected one";
}

void hd_wrong_output_message(const struct hd_report *r, char *buf, size_t cap)
{
    const struct hd_output_diff *d = diff_of(r);

    if (d == NULL)
        hd_describe_message(r, buf, cap);
    else
        snprintf(buf, cap, "the output differs from %s in line %u", compared_with(r), d->line);
}

/* Returns the length of the line at that offset, including its newline. */
static uint32_t line_at(const struct hd_output_diff *d, unsigned which, uint32_t at)
{
    const char *text = d->text[which] + at, *end = memchr(text, '\n', d->size[which] - at);

    return end != NULL ? (uint32_t)(end - text) + 1 : d->size[which] - at;
}

/* Reduces both texts to the lines that differ: drops equal lines at their ends, if both texts are complete. */
static void trim(const struct hd_output_diff *d, uint32_t size[2])
{
    const char *a = d->text[EXPECTED], *b = d->text[PRINTED];
    uint32_t n = 0;

    size[EXPECTED] = d->size[EXPECTED];
    size[PRINTED] = d->size[PRINTED];
    if (d->more[EXPECTED] + d->more[PRINTED] > 0)
        return;
    for (uint32_t i = 1; i <= size[EXPECTED] && i <= size[PRINTED] && a[size[EXPECTED] - i] == b[size[PRINTED] - i]; i++)
        if ((i == size[EXPECTED] || a[size[EXPECTED] - i - 1] == '\n') && (i == size[PRINTED] || b[size[PRINTED] - i - 1] == '\n'))
            n = i;
    size[EXPECTED] -= n;
    size[PRINTED] -= n;
}

/* Prints the first lines, each after the mark. */
static void lines(const struct hd_text *t, const struct hd_output_diff *d, unsigned which, uint32_t size)
{
    enum { MOST = 4 };
    uint32_t at = 0;

    for (unsigned i = 0; i < MOST && at < size; i++) {
        uint32_t n = line_at(d, which, at);
        bool whole = d->text[which][at + n - 1] == '\n';
        char line[sizeof d->text[0] + 1], seen[4 * sizeof line];

        memcpy(line, d->text[which] + at, n);
        line[n - whole] = '\0';
        hd_text_visible(line, seen, sizeof seen);
        fputs("  ", t->out);
        hd_text_ink(t, which == EXPECTED ? HD_INK_GOOD : HD_INK_BAD, which == EXPECTED ? "- " : "+ ");
        fprintf(t->out, "%s%s\n", seen, whole || at + n < size || d->more[which] > 0 ? "" : "  (no newline at the end)");
        at += n;
    }
    if (size == 0 && d->size[which] == 0)
        fprintf(t->out, "  %s (nothing more)\n", which == EXPECTED ? "-" : "+");
    else if (at < size || d->more[which] > 0)
        fprintf(t->out, "  %s ...\n", which == EXPECTED ? "-" : "+");
}

void hd_wrong_output_text(const struct hd_text *t, const struct hd_report *r)
{
    const struct hd_output_diff *d = diff_of(r);
    char line[700];
    uint32_t size[2];

    hd_wrong_output_message(r, line, sizeof line);
    if (d != NULL)
        strncat(line, " (-: expected, +: printed):", sizeof line - strlen(line) - 1);
    hd_text_wrap(t, 0, 2, line);
    if (d == NULL)
        return;
    trim(d, size);
    lines(t, d, EXPECTED, size[EXPECTED]);
    lines(t, d, PRINTED, size[PRINTED]);
}

static void text(struct hd_json *j, const char *key, const struct hd_output_diff *d, unsigned which, uint32_t size)
{
    char copy[sizeof d->text[0] + 1];

    memcpy(copy, d->text[which], size);
    copy[size] = '\0';
    hd_json_put_string(j, key, copy);
}

void hd_wrong_output_json(struct hd_json *j, const struct hd_report *r)
{
    const struct hd_output_diff *d = diff_of(r);
    uint32_t size[2];

    hd_json_object(j);
    if (d != NULL) {
        trim(d, size);
        hd_json_put_uint(j, "line", d->line);
        text(j, "expected", d, EXPECTED, size[EXPECTED]);
        text(j, "printed", d, PRINTED, size[PRINTED]);
        hd_json_put_bool(j, "cut", d->more[EXPECTED] + d->more[PRINTED] > 0);
    }
    hd_json_end(j);
}
