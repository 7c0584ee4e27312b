/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frameworks.h - programs of test frameworks: which framework, which tests, and how to run
 * one test alone. */
#ifndef HD_PROGRAM_FRAMEWORKS_H
#define HD_PROGRAM_FRAMEWORKS_H

#include "program/elf_info.h"

struct hd_framework;

struct hd_test {
    char *name;
    char *skipped; /* why it is not to be run; NULL: it is */
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

/* Does libheddle-each.so select the test?  Otherwise the arguments do. */
bool hd_framework_preloads(const struct hd_framework *f);

/* The arguments that run one test: those of argv and additional ones.  Freed by
 * hd_test_argv_free. */
char **hd_test_argv(const struct hd_framework *f, char *const *argv, const char *test);
void hd_test_argv_free(char **argv, char *const *original);

#endif
