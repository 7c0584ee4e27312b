/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted.c - reads and writes sections that consist of pairs of zero-terminated strings. */
#include "scan/noted.h"

#include <string.h>

static void write_string(FILE *to, const char *text)
{
    fputs("\t.string\t\"", to);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < ' ' || c >= 0x7f || c == '"' || c == '\\')
            fprintf(to, "\\%03o", c);
        else
            fputc(c, to);
    }
    fputs("\"\n", to);
}

void hd_noted_write(FILE *to, const char *section, const char *function, const char *file, unsigned line)
{
    const char *slash = strrchr(file, '/');
    char place[512] = ""; /* empty: the place is not known */

    if (*file != '\0')
        snprintf(place, sizeof place, "%s:%u", slash != NULL ? slash + 1 : file, line);
    fprintf(to, "\t.pushsection\t%s,\"\",@progbits\n", section);
    write_string(to, function);
    write_string(to, place);
    fputs("\t.popsection\n", to);
}

void hd_noted_each(const struct hd_image *im, const char *section, void (*fn)(const struct hd_noted *, void *),
                   void *arg)
{
    size_t size = 0;
    const char *text = (const char *)hd_image_bytes(im, section, &size);

    for (size_t at = 0; text != NULL && at < size;) {
        size_t first = strnlen(text + at, size - at);
        size_t second = at + first + 1 < size ? strnlen(text + at + first + 1, size - at - first - 1) : 0;

        if (at + first + 1 + second >= size)
            return;
        fn(&(struct hd_noted){ text + at, text + at + first + 1 }, arg);
        at += first + second + 2;
    }
}
