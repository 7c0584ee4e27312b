/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.c - JSON strings. */
#include "report/print/json.h"

#include <string.h>

#include "base/utf8.h"

void hd_json_string(FILE *out, const char *s)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);

    fputc('"', out);
    while (p < end) {
        size_t n = hd_utf8_length(p, (size_t)(end - p));

        if (n == 0) {
            fputs("\\ufffd", out);
            n = 1;
        } else if (*p == '"' || *p == '\\') {
            fprintf(out, "\\%c", *p);
        } else if (*p == '\n') {
            fputs("\\n", out);
        } else if (*p == '\t') {
            fputs("\\t", out);
        } else if (*p < 0x20 || *p == 0x7f) {
            fprintf(out, "\\u%04x", *p);
        } else {
            fwrite(p, 1, n, out);
        }
        p += n;
    }
    fputc('"', out);
}
