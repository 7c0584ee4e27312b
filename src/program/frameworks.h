/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frameworks.h - programs that use test frameworks: finds the framework and the tests, and makes
 * the arguments that run one test alone. */
#ifndef HD_PROGRAM_FRAMEWORKS_H
#define HD_PROGRAM_FRAMEWORKS_H

#include "program/elf_info.h"

struct hd_framework;

struct hd_test {
    char *name;
    char *skipped; /* reason why the test must not run; NULL: it may run */
};

struct hd_tests {
    const struct hd_framework *framework;
    struct hd_test *all;
    unsigned n;
};

/* Finds the tests of a program that is started as argv.  False, after a message, if there
 * are none.  The caller frees t in either case. */
bool hd_tests_find(struct hd_tests *t, const struct hd_elf_info *elf, char *const *argv);
void hd_tests_free(struct hd_tests *t);

const char *hd_framework_name(const struct hd_framework *f);

/* True if libheddle-each.so selects the test.  False if the arguments do. */
bool hd_framework_preloads(const struct hd_framework *f);

/* Returns the number of letters of the test's name that are the name of its suite, which a separator
 * follows; 0 if it has none. */
unsigned hd_framework_suite(const struct hd_framework *f, const char *test);

/* Returns the arguments that run one test: those of argv and additional ones.  The caller frees
 * them with hd_test_argv_free. */
char **hd_test_argv(const struct hd_framework *f, char *const *argv, const char *test);
void hd_test_argv_free(char **argv, char *const *original);

#endif
