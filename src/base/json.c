/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.c - writes JSON. */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/utf8.h"

void hd_json_open(struct hd_json *j, FILE *out, unsigned depth)
{
    *j = (struct hd_json){ .out = out, .depth = depth };
}

/* ---- structure ----------------------------------------------------------------------- */

/* Writes the separator before the next key, or before the next value without a key. */
static void separate(struct hd_json *j)
{
    if (j->keyed) {
        j->keyed = false;
        return;
    }
    if (j->more)
        fputc(',', j->out);
    if (j->line)
        fprintf(j->out, "\n%*s", (int)j->depth, "");
    else if (j->more && !j->tight)
        fputc(' ', j->out);
    j->line = false;
    j->more = true;
}

static void begin(struct hd_json *j, bool array)
{
    separate(j);
    HD_INVARIANT(j->arrays >> 63 == 0, "JSON is nested too deeply");
    fputc(array ? '[' : '{', j->out);
    j->arrays = j->arrays << 1 | array;
    j->depth++;
    j->more = false;
}

void hd_json_object(struct hd_json *j)
{
    begin(j, false);
}

void hd_json_array(struct hd_json *j)
{
    begin(j, true);
}

void hd_json_end(struct hd_json *j)
{
    fputc(j->arrays & 1 ? ']' : '}', j->out);
    j->arrays >>= 1;
    j->depth--;
    j->more = true;
    j->line = false;
}

struct hd_json *hd_json_line(struct hd_json *j)
{
    j->line = true;
    return j;
}

/* ---- values -------------------------------------------------------------------------- */

static void write_string(FILE *out, const char *s)
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

void hd_json_key(struct hd_json *j, const char *key)
{
    separate(j);
    write_string(j->out, key);
    fputs(j->tight ? ":" : ": ", j->out);
    j->keyed = true;
}

void hd_json_string(struct hd_json *j, const char *s)
{
    separate(j);
    write_string(j->out, s);
}

void hd_json_uint(struct hd_json *j, uint64_t n)
{
    separate(j);
    fprintf(j->out, "%llu", (unsigned long long)n);
}

void hd_json_int(struct hd_json *j, int64_t n)
{
    separate(j);
    fprintf(j->out, "%lld", (long long)n);
}

static void number(struct hd_json *j, const char *format, int digits, double x)
{
    separate(j);
    fprintf(j->out, isfinite(x) ? format : "null", digits, x);
}

void hd_json_fixed(struct hd_json *j, double x, int digits)
{
    number(j, "%.*f", digits, x);
}

void hd_json_double(struct hd_json *j, double x, int digits)
{
    number(j, "%.*g", digits, x);
}

void hd_json_bool(struct hd_json *j, bool b)
{
    separate(j);
    fputs(b ? "true" : "false", j->out);
}

void hd_json_null(struct hd_json *j)
{
    separate(j);
    fputs("null", j->out);
}

void hd_json_raw(struct hd_json *j, const char *text)
{
    if (text[0] == '\0')
        return;
    separate(j);
    fputs(text, j->out);
}

/* ---- members ------------------------------------------------------------------------- */

void hd_json_put_object(struct hd_json *j, const char *key)
{
    hd_json_key(j, key);
    hd_json_object(j);
}

void hd_json_put_array(struct hd_json *j, const char *key)
{
    hd_json_key(j, key);
    hd_json_array(j);
}

void hd_json_put_string(struct hd_json *j, const char *key, const char *s)
{
    hd_json_key(j, key);
    hd_json_string(j, s);
}

void hd_json_put_string_or_null(struct hd_json *j, const char *key, const char *s)
{
    hd_json_key(j, key);
    if (s != NULL && s[0] != '\0')
        hd_json_string(j, s);
    else
        hd_json_null(j);
}

void hd_json_put_uint(struct hd_json *j, const char *key, uint64_t n)
{
    hd_json_key(j, key);
    hd_json_uint(j, n);
}

void hd_json_put_int(struct hd_json *j, const char *key, int64_t n)
{
    hd_json_key(j, key);
    hd_json_int(j, n);
}

void hd_json_put_int_or_null(struct hd_json *j, const char *key, bool known, int64_t n)
{
    hd_json_key(j, key);
    if (known)
        hd_json_int(j, n);
    else
        hd_json_null(j);
}

void hd_json_put_bool(struct hd_json *j, const char *key, bool b)
{
    hd_json_key(j, key);
    hd_json_bool(j, b);
}
