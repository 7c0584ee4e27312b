/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_book.h - data that all findings of a page share: texts, places in the code and source files.
 * The page contains each of them once and refers to it by number. */
#ifndef HD_REPORT_HTML_HTML_BOOK_H
#define HD_REPORT_HTML_HTML_BOOK_H

#include <sys/types.h>

#include "report/verdict/format.h"

/* A hash table from 64-bit keys, which are never 0, to numbers. */
struct hd_html_map {
    uint64_t *key;
    uint32_t *value;
    size_t capacity, used;
};

struct hd_html_site {
    int file; /* number of the source file; -1: none */
    int line;
    uint32_t function, text; /* numbers of texts such as "worker" and "q.c:17" */
};

struct hd_html_source {
    char *path;
    char *text; /* NULL: the file does not exist or is too large */
    bool newer; /* the file is newer than the program */
};

struct hd_html {
    time_t built; /* modification time of the program; 0: not known */
    struct hd_html_map strings, places;
    char **string;
    uint32_t nstrings;
    struct hd_html_site *site;
    uint32_t nsites;
    struct hd_html_source *source;
    uint32_t nsources;
    unsigned nfull; /* number of findings shown in full, in all results */

    /* The results so far, as JSON objects separated by commas. */
    FILE *runs, *findings;
    char *runs_text, *findings_text;
    size_t runs_size, findings_size;
    unsigned nruns, nfindings;
};

/* Finds or adds a key and returns the address of its number.  If *new, the caller must set the
 * number. */
uint32_t *hd_html_number(struct hd_html_map *m, uint64_t key, bool *new);
void hd_html_map_free(struct hd_html_map *m);

uint32_t hd_html_string(struct hd_html *h, const char *text);

/* Returns the number of the source place of the call before pc.  Returns 0 if nothing is known
 * about it. */
uint32_t hd_html_place(struct hd_html *h, struct hd_symbols *symbols, uint64_t pc);
/* Returns the number of the source file of a frame; -1 if the page cannot show it. */
int hd_html_source(struct hd_html *h, const struct hd_frame *f);

/* Prints the members "strings", "sites" and "files", each with a leading comma. */
void hd_html_book_json(FILE *out, const struct hd_html *h);

/* Prints the columns of the time line and the data that they refer to: the members "threads",
 * "objects", "rows", "edges" and "why", each with a leading comma. */
void hd_html_rows_json(FILE *out, struct hd_html *h, const struct hd_report *r,
                       const struct hd_order *order);

#endif
