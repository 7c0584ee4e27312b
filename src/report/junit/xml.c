/* SPDX-License-Identifier: BSD-2-Clause
 *
 * xml.c - escaping for XML. */
#include "report/junit/xml.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static const char *entity(unsigned char c, bool attribute)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>': /* "]]>" is not allowed in text */
        return "&gt;";
    case '"':
        return attribute ? "&quot;" : NULL;
    case '\n': /* in an attribute, a reader would turn a raw newline into a blank */
        return attribute ? "&#10;" : NULL;
    case '\t':
        return attribute ? "&#9;" : NULL;
    default:
        return NULL;
    }
}

/* True for U+FFFE and U+FFFF: they are valid UTF-8 but not characters of XML. */
static bool is_no_character(const unsigned char *p, size_t n)
{
    return n == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;
}

static void escape(FILE *out, const char *text, bool attribute)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);

    while (p < end) {
        size_t n = hd_utf8_length(p, (size_t)(end - p));
        const char *name = entity(*p, attribute);
        bool control = n == 1 && (*p < 0x20 || *p == 0x7f) && *p != '\n' && *p != '\t';

        if (n == 0 || is_no_character(p, n))
            fputs("\xef\xbf\xbd", out);
        else if (name != NULL)
            fputs(name, out);
        else if (!control)
            fwrite(p, 1, n, out);
        p += n > 0 ? n : 1;
    }
}

void hd_xml_text(FILE *out, const char *text)
{
    escape(out, text, false);
}

void hd_xml_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    escape(out, value, true);
    fputc('"', out);
}
