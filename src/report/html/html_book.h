/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_book.h - data that all findings of a page share: texts, places in the code and source files.
 * The page contains each of them once and refers to it by number. */
#ifndef HD_REPORT_HTML_HTML_BOOK_H
#define HD_REPORT_HTML_HTML_BOOK_H

#include <sys/types.h>

#include "base/json.h"
#include "base/map.h"
#include "report/verdict/format.h"

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
    struct hd_texts strings;
    struct hd_map places; /* numbers of the sites, by address */
    struct hd_html_site *site;
    uint32_t nsites;
    struct hd_html_source *source;
    uint32_t nsources;
    unsigned nfull; /* number of findings shown in full, in all results */

    /* The results so far. */
    struct hd_json runs, findings;
    char *runs_text, *findings_text;
    size_t runs_size, findings_size;
    unsigned nruns;

    /* The findings as text, for a browser without scripts. */
    FILE *plain;
    char *plain_text;
    size_t plain_size;
};

uint32_t hd_html_string(struct hd_html *h, const char *text);

/* Returns the number of the source place of the call before pc.  Returns 0 if nothing is known
 * about it. */
uint32_t hd_html_place(struct hd_html *h, struct hd_symbols *symbols, uint64_t pc);
/* Returns the number of a place that has only a text, such as "end of main". */
uint32_t hd_html_named_place(struct hd_html *h, const char *text);
/* Returns the number of the source file of a frame; -1 if the page cannot show it. */
int hd_html_source(struct hd_html *h, const struct hd_frame *f);

/* Prints the members "strings", "sites" and "files". */
void hd_html_book_json(struct hd_json *j, const struct hd_html *h);

/* Prints the columns of the time line and the data that they refer to: the members "threads",
 * "objects", "rows", "edges" and "why". */
void hd_html_rows_json(struct hd_json *j, struct hd_html *h, const struct hd_report *r,
                       const struct hd_order *order);

#endif
