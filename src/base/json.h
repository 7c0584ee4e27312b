/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.h - writes JSON to a stream, value by value.  It places commas and brackets itself.
 *
 *   hd_json_open(&j, out, 0);
 *   hd_json_object(&j);                     {
 *   hd_json_put_string(&j, "id", "a");      {"id": "a"
 *   hd_json_put_array(&j, "list");          {"id": "a", "list": [
 *   hd_json_uint(&j, 1);                    {"id": "a", "list": [1
 *   hd_json_end(&j);                        {"id": "a", "list": [1]
 *   hd_json_end(&j);                        {"id": "a", "list": [1]}
 *
 * Outside of all objects and arrays, values are separated by commas, so that a part of a document can
 * be written first and inserted later (hd_json_raw). */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hd_json {
    FILE *out;
    unsigned depth;   /* number of open objects and arrays, which is the indentation */
    uint64_t arrays;  /* bit 0: the innermost open one is an array; bit 1: the one around it is; and so on */
    bool more;        /* the next value needs a comma */
    bool keyed;       /* a key has been written, and its value comes next */
    bool line;        /* the next member or element begins a new line */
    bool tight;       /* write no blanks; may be changed at any time */
};

/* depth: how deep in the document the output begins. */
void hd_json_open(struct hd_json *j, FILE *out, unsigned depth);

void hd_json_object(struct hd_json *j);
void hd_json_array(struct hd_json *j);
/* Ends the innermost object or array. */
void hd_json_end(struct hd_json *j);
void hd_json_key(struct hd_json *j, const char *key);
/* Makes the next member or element begin a new line.  Returns j. */
struct hd_json *hd_json_line(struct hd_json *j);

/* Replaces bytes that are not UTF-8 by U+FFFD. */
void hd_json_string(struct hd_json *j, const char *s);
void hd_json_uint(struct hd_json *j, uint64_t n);
void hd_json_int(struct hd_json *j, int64_t n);
/* digits: number of digits after the decimal point.  JSON has no infinity: a value that is not
 * finite becomes null. */
void hd_json_fixed(struct hd_json *j, double x, int digits);
/* digits: number of significant digits. */
void hd_json_double(struct hd_json *j, double x, int digits);
void hd_json_bool(struct hd_json *j, bool b);
void hd_json_null(struct hd_json *j);
/* Inserts text that already is JSON: a value, members of an object, or elements of an array.  Does nothing if
 * the text is empty. */
void hd_json_raw(struct hd_json *j, const char *text);

/* Write members of an object. */
void hd_json_put_object(struct hd_json *j, const char *key);
void hd_json_put_array(struct hd_json *j, const char *key);
void hd_json_put_string(struct hd_json *j, const char *key, const char *s);
/* Writes null if the string is empty or NULL. */
void hd_json_put_string_or_null(struct hd_json *j, const char *key, const char *s);
void hd_json_put_uint(struct hd_json *j, const char *key, uint64_t n);
void hd_json_put_int(struct hd_json *j, const char *key, int64_t n);
/* Writes null if the number is not known. */
void hd_json_put_int_or_null(struct hd_json *j, const char *key, bool known, int64_t n);
void hd_json_put_bool(struct hd_json *j, const char *key, bool b);

#endif
