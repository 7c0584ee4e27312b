/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.c - see text.h. */
#include "serve/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"

static uint32_t code_point(const unsigned char *p, size_t n)
{
    static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    uint32_t c = p[0] & first[n];

    for (size_t i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3f);
    return c;
}

/* Characters that are invisible or change the direction of text: those of report/html/dom.js, and code points that
 * are no characters. */
static bool is_hidden(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff || (c & 0xfffe) == 0xfffe ||
           (c >= 0xe0000 && c < 0xe0080);
}

static const char *entity(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hd_put_text(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);

    while (p < end) {
        size_t n = hd_utf8_length(p, (size_t)(end - p));
        const char *name = entity(*p);

        if (n == 0)
            fputs("\xef\xbf\xbd", out);
        else if (is_hidden(code_point(p, n)))
            fprintf(out, "\xe2\x9f\xa8%02x\xe2\x9f\xa9", code_point(p, n));
        else if (name != NULL)
            fputs(name, out);
        else
            fwrite(p, 1, n, out);
        p += n > 0 ? n : 1;
    }
}

void hd_put_address(FILE *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        if (isalnum(*p) || strchr("-_.~", *p) != NULL)
            fputc(*p, out);
        else
            fprintf(out, "%%%02X", *p);
}

static int digit(char c)
{
    const char *at = c != '\0' ? strchr("0123456789abcdef", tolower((unsigned char)c)) : NULL;

    return at != NULL ? (int)(at - "0123456789abcdef") : -1;
}

bool hd_decode_address(const char *from, size_t n, char *to, size_t cap)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        char c = from[i];

        if (c == '%') {
            int high = n - i > 2 ? digit(from[i + 1]) : -1, low = n - i > 2 ? digit(from[i + 2]) : -1;

            if (high < 0 || low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        if (c == '\0' || k + 1 >= cap)
            return false;
        to[k++] = c;
    }
    to[k] = '\0';
    for (size_t i = 0, m; i < k; i += m) /* databases accept only valid UTF-8 */
        if ((m = hd_utf8_length((const unsigned char *)to + i, k - i)) == 0)
            return false;
    return true;
}

/* ---- numbers and times ------------------------------------------------------------------------- */

void hd_put_count(FILE *out, int64_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)n);

    for (int i = 0; i < len; i++) {
        fputc(digits[i], out);
        if (digits[i] != '-' && i + 1 < len && (len - i - 1) % 3 == 0)
            fputc(',', out);
    }
}

void hd_put_about(FILE *out, double x)
{
    if (!isfinite(x) || fabs(x) >= 1e15)
        fputs("?", out);
    else if (fabs(x) < 9.95 && x != 0)
        fprintf(out, "%.1f", x);
    else
        hd_put_count(out, llround(x));
}

void hd_put_duration(FILE *out, double s)
{
    if (!isfinite(s) || s < 0 || s > 1e11)
        fputs("?", out);
    else if (s < 0.95)
        fprintf(out, "%.0f ms", s * 1e3);
    else if (s < 9.95)
        fprintf(out, "%.1f s", s);
    else if (s < 99.5)
        fprintf(out, "%.0f s", s);
    else if (s < 99.5 * 60)
        fprintf(out, "%.0f min", s / 60);
    else if (s < 48 * 3600)
        fprintf(out, "%d h %d min", (int)(s / 3600), (int)(s / 60) % 60);
    else
        fprintf(out, "%.0f days", s / 86400);
}

void hd_put_ago(FILE *out, double at, double now)
{
    char text[64] = "";
    struct tm tm;
    time_t t = isfinite(at) && at > 0 && at < 1e11 ? (time_t)at : 0;

    if (t == 0 || gmtime_r(&t, &tm) == NULL) {
        fputs("?", out);
        return;
    }
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    fprintf(out, "<time datetime=\"%s\" title=\"%s\">", text, text);
    hd_put_duration(out, fmax(now - at, 0));
    fputs(" ago</time>", out);
}
