/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_page.c - see html_page.h. */
#include "report/html/html_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "report/junit/xml.h"

/* The template; defined in embed.S. */
extern const char hd_html_page[], hd_html_page_end[];
extern const char hd_html_style[], hd_html_style_end[];
extern const char hd_html_script[], hd_html_script_end[];

/* Prints JSON inside a script element.  Escapes all characters that could end the element, open a comment in it, be
 * invalid in a JavaScript string, or control a terminal.  In JSON these occur only inside strings. */
static void put_safely(FILE *out, const char *json, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (json[i] == '<')
            fputs("\\u003c", out);
        else if ((unsigned char)json[i] < 0x20 && json[i] != '\n')
            fprintf(out, "\\u%04x", (unsigned)json[i]);
        else if (n - i > 2 && memcmp(&json[i], "\xe2\x80", 2) == 0 &&
                 (json[i + 2] == '\xa8' || json[i + 2] == '\xa9')) {
            fputs(json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029", out);
            i += 2;
        } else {
            fputc(json[i], out);
        }
}

static const char *find(const char *from, const char *mark)
{
    const char *at = memmem(from, (size_t)(hd_html_page_end - from), mark, strlen(mark));

    HD_INVARIANT(at != NULL, "the template has lost a mark");
    return at;
}

/* Prints the template from `from` up to the mark.  Returns the position after the mark. */
static const char *put_until(FILE *out, const char *from, const char *mark)
{
    const char *at = find(from, mark);

    fwrite(from, 1, (size_t)(at - from), out);
    return at + strlen(mark);
}

static void put_script(FILE *out)
{
    fwrite(hd_html_script, 1, (size_t)(hd_html_script_end - hd_html_script), out);
}

void hd_html_page_write(FILE *out, const char *data, size_t size, const char *link)
{
    const char *zero = memchr(data, '\0', size);
    size_t ntext = zero != NULL ? (size_t)(zero - data) : size, after = zero != NULL ? ntext + 1 : size;
    const char *at = put_until(out, hd_html_page, "/*STYLE*/");
    char *text = hd_formatted("%.*s", (int)ntext, data);

    fwrite(hd_html_style, 1, (size_t)(hd_html_style_end - hd_html_style), out);
    at = put_until(out, at, "/*TEXT*/");
    hd_xml_text(out, text);
    free(text);
    at = put_until(out, at, "<!--LINK-->");
    fputs(link != NULL ? link : "", out);
    at = put_until(out, at, "/*DATA*/");
    put_safely(out, data + after, size - after);
    at = put_until(out, at, "/*SCRIPT*/");
    put_script(out);
    fwrite(at, 1, (size_t)(hd_html_page_end - at), out);
}

void hd_html_page_script(FILE *out)
{
    static const char begin[] = "<script>";
    const char *at = put_until(out, find(hd_html_page, begin) + strlen(begin), "/*SCRIPT*/");

    put_script(out);
    put_until(out, at, "</script>");
}
