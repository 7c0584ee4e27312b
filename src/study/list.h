/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.h - what a study is about: the programs of a list (bench/programs/README.md says what
 * its columns are), the strategies and the seeds. */
#ifndef HD_STUDY_LIST_H
#define HD_STUDY_LIST_H

#include <stdint.h>

#include "study/tsv.h"

struct hd_study_program {
    const char *id, *suite, *name; /* name: not empty, and no other program's */
    const char *source;  /* files, with blanks between; or one program that is built already */
    const char *cflags, *arguments;
    const char *kinds;   /* of finding that are its bug, with | between; "": any */
    const char *notes;
    const char *options; /* further ones of `heddle run` */
};

struct hd_study_list {
    struct hd_tsv tsv;
    struct hd_study_program *program;
    size_t n;
};

/* False with a sentence. */
bool hd_study_list_read(struct hd_study_list *l, const char *path, char *error, size_t cap);
void hd_study_list_free(struct hd_study_list *l);

/* Patterns as of a shell, with commas between: one of them fits the name, the suite, or a
 * word of the notes.  Several with + between must all fit.  NULL selects all. */
bool hd_study_selects(const char *patterns, const struct hd_study_program *p);

/* Is it one of the kinds of finding that are the program's bug? */
bool hd_study_kind_expected(const char *kinds, const char *kind);

enum { HD_STUDY_STRATEGIES = 24, HD_STUDY_NAME = 96 };

struct hd_study_names {
    char name[HD_STUDY_STRATEGIES][HD_STUDY_NAME];
    size_t n;
};

/* "dfs,pct:d=3,k=100;random": commas and semicolons separate, but a comma before key=value
 * belongs to the parameters.  Names are not checked here.  False with a sentence. */
bool hd_study_strategies(const char *text, struct hd_study_names *out, char *error, size_t cap);

struct hd_study_seeds {
    uint64_t first, n;
};

/* "20" is 1..20; "5..8" is what it says. */
bool hd_study_seeds(const char *text, struct hd_study_seeds *out, char *error, size_t cap);

#endif
