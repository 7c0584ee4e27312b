/* SPDX-License-Identifier: BSD-2-Clause
 *
 * build.h - compiles the programs of a study into a directory beside its results, and
 * again only if a source file has changed. */
#ifndef HD_STUDY_BUILD_H
#define HD_STUDY_BUILD_H

#include <limits.h>

#include "study/list.h"

struct hd_study_built {
    bool good;
    bool stopped;           /* a signal of the user arrived during compilation and is still
                             * pending */
    char program[PATH_MAX]; /* absolute */
    char root[PATH_MAX];    /* directory that the paths of the list are relative to */
    char digest[20];        /* hash of its contents */
    char error[400];        /* unless good: the compiler's first message */
};

/* Compiles a program unless it is up to date. list is the absolute path of the list; cache is the
 * absolute path of an existing directory. */
void hd_study_compile(const struct hd_study_program *p, const char *list, const char *cache,
                      struct hd_study_built *out);

enum { HD_STUDY_WORDS = 64 };

/* Splits text at blanks, in place, and appends the words.  Returns false if there are too many. */
bool hd_study_words(char *text, char **words, size_t *n);

/* Runs heddle itself in dir, in its own process group, with its output in the log.  Returns the
 * process, or -1 with errno set. */
int hd_study_spawn(char *const *argv, const char *dir, const char *log);

/* Waits until a child ends, a signal of the user arrives, or a short time has passed.
 * Precondition: SIGCHLD is blocked. */
void hd_study_wait_moment(void);

/* Copies the first line of a log that reports an error.  If there is none, copies the first line. */
void hd_study_log_line(const char *log, char *buf, size_t cap);

#endif
