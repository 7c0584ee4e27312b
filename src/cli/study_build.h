/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_build.h - the programs of a study, compiled for Heddle into a directory beside its
 * results, and again only when something that they are made of has changed. */
#ifndef HD_CLI_STUDY_BUILD_H
#define HD_CLI_STUDY_BUILD_H

#include <limits.h>

#include "study/list.h"

struct hd_study_built {
    bool good;
    bool stopped;           /* a signal of the user's came while it was compiled, and still waits */
    char program[PATH_MAX]; /* absolute */
    char root[PATH_MAX];    /* what the list's paths start from */
    char digest[20];        /* of its contents */
    char error[400];        /* unless good: what the compiler says first */
};

/* list: the file, absolute; cache: the directory, absolute, which exists. */
void hd_study_compile(const struct hd_study_program *p, const char *list, const char *cache,
                      struct hd_study_built *out);

enum { HD_STUDY_WORDS = 64 };

/* Cut words at blanks, in place, and append them; false when there are too many. */
bool hd_study_words(char *text, char **words, size_t *n);

/* Run heddle itself: in that directory, in a process group of its own, its output into the
 * log.  The process; -1 with errno set. */
int hd_study_spawn(char *const *argv, const char *dir, const char *log);

/* The end of a child, a signal of the user's, or a moment: whichever comes first.  SIGCHLD is
 * blocked. */
void hd_study_wait_moment(void);

/* The first line of a log that tells of an error, or else its first line. */
void hd_study_log_line(const char *log, char *buf, size_t cap);

#endif
