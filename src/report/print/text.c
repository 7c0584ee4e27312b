/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.c - colours, wrapped lines, and escaped text of the program under test. */
#include "report/print/text.h"

#include <string.h>

int hd_text_width(const struct hd_text *t)
{
    return t->width > HD_TEXT_WIDTH ? t->width : HD_TEXT_WIDTH;
}

void hd_text_ink(const struct hd_text *t, enum hd_ink ink, const char *text)
{
    static const char *const codes[] = { [HD_INK_BAD] = "1;31", [HD_INK_GOOD] = "1;32",
                                         [HD_INK_MARK] = "33", [HD_INK_HEAD] = "1",
                                         [HD_INK_DIM] = "2" };

    if (t->color)
        fprintf(t->out, "\033[%sm%s\033[0m", codes[ink], text);
    else
        fputs(text, t->out);
}

static bool steers(const unsigned char *c)
{
    return (c[0] < 0x20 && c[0] != '\n' && c[0] != '\t') || c[0] == 0x7f ||
           (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void hd_text_visible(const char *text, char *out, size_t cap)
{
    size_t at = 0;

    for (const unsigned char *c = (const unsigned char *)text; *c != '\0' && at + 5 < cap; c++)
        if (steers(c))
            at += (size_t)snprintf(out + at, cap - at, "\\x%02x", *c);
        else
            out[at++] = (char)*c;
    if (cap > 0)
        out[at] = '\0';
}

/* Prints a word with control characters escaped.  Returns its width. */
static size_t put_word(FILE *out, const char *word, size_t n)
{
    size_t width = 0;

    for (size_t i = 0; i < n; i++)
        if (steers((const unsigned char *)word + i)) {
            width += (size_t)fprintf(out, "\\x%02x", (unsigned char)word[i]);
        } else {
            fputc(word[i], out);
            width++;
        }
    return width;
}

void hd_text_wrap(const struct hd_text *t, unsigned at, unsigned indent, const char *text)
{
    bool first = true;

    while (*text != '\0') {
        size_t n = strcspn(text, " \n");

        if (n > 0) {
            if (!first && !t->unwrapped && at + 1 + n > HD_TEXT_WIDTH) {
                fprintf(t->out, "\n%*s", (int)indent, "");
                at = indent;
            } else if (!first) {
                fputc(' ', t->out);
                at++;
            }
            at += (unsigned)put_word(t->out, text, n);
            first = false;
        }
        text += n + (text[n] != '\0');
    }
    fputc('\n', t->out);
}

void hd_text_number(uint64_t n, char *buf, size_t cap)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t at = 0;

    for (int i = 0; i < len && at + 2 < cap; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
}

void hd_text_heading(const struct hd_text *t, const char *text)
{
    fputc('\n', t->out);
    hd_text_ink(t, HD_INK_HEAD, text);
    fputc('\n', t->out);
}

/* ---- output of the program ------------------------------------------------------------ */

static const char *last_lines(const char *data, size_t n, unsigned lines)
{
    const char *p = data + n;

    if (p > data && p[-1] == '\n')
        p--;
    while (p > data) {
        if (p[-1] == '\n' && --lines == 0)
            break;
        p--;
    }
    return p;
}

void hd_text_output(const struct hd_text *t, const char *data, size_t n, unsigned lines)
{
    const char *end = data + n;
    bool fresh = true;

    for (const char *p = last_lines(data, n, lines); p < end; p++) {
        unsigned char c = (unsigned char)*p;

        if (fresh)
            fputs("  | ", t->out);
        fresh = c == '\n';
        if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f))
            fputc(c, t->out);
        else /* control sequences of the program must not reach the terminal */
            fprintf(t->out, "\\x%02x", c);
    }
    if (!fresh)
        fputc('\n', t->out);
}
