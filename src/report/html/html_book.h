/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_book.h - what all findings of a page share, each thing once and known by its
 * number: texts, places in the code, source files. */
#ifndef HD_REPORT_HTML_HTML_BOOK_H
#define HD_REPORT_HTML_HTML_BOOK_H

#include <sys/types.h>

#include "report/verdict/format.h"

/* Numbers by 64-bit keys; a key is never 0. */
struct hd_html_map {
    uint64_t *key;
    uint32_t *value;
    size_t capacity, used;
};

struct hd_html_site {
    int file; /* -1: none */
    int line;
    uint32_t function, text; /* "worker", "q.c:17" */
};

struct hd_html_source {
    char *path;
    char *text; /* NULL: it is not there, or too large */
    bool newer; /* than the program */
};

struct hd_html {
    time_t built; /* the program; 0: not known */
    struct hd_html_map strings, places;
    char **string;
    uint32_t nstrings;
    struct hd_html_site *site;
    uint32_t nsites;
    struct hd_html_source *source;
    uint32_t nsources;
    unsigned nfull; /* findings that were added, of all results */

    /* the results so far, as JSON with commas between them */
    FILE *runs, *findings;
    char *runs_text, *findings_text;
    size_t runs_size, findings_size;
    unsigned nruns, nfindings;
};

/* The number of the key, and whether it is new: then the caller sets it. */
uint32_t *hd_html_number(struct hd_html_map *m, uint64_t key, bool *new);
void hd_html_map_free(struct hd_html_map *m);

uint32_t hd_html_string(struct hd_html *h, const char *text);

/* The place that pc follows as a call; 0 is that of which nothing is known. */
uint32_t hd_html_place(struct hd_html *h, struct hd_symbols *symbols, uint64_t pc);
/* The file of a frame; -1: none that can be shown. */
int hd_html_source(struct hd_html *h, const struct hd_frame *f);

/* "strings", "sites" and "files", each after a comma. */
void hd_html_book_json(FILE *out, const struct hd_html *h);

/* The columns of the time line and what they refer to: "threads", "objects", "rows",
 * "edges", "why", each after a comma. */
void hd_html_rows_json(FILE *out, struct hd_html *h, const struct hd_report *r,
                       const struct hd_order *order);

#endif
