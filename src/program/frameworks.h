/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frameworks.h - programs of test frameworks: which one it is, which tests there are, and how
 * one of them is run alone. */
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

/* The tests of a program that is started as argv.  False after having said why there are
 * none; to be freed in either case. */
bool hd_tests_find(struct hd_tests *t, const struct hd_elf_info *elf, char *const *argv);
void hd_tests_free(struct hd_tests *t);

const char *hd_framework_name(const struct hd_framework *f);

/* Does libheddle-each.so pick the test?  Else the arguments do. */
bool hd_framework_preloads(const struct hd_framework *f);

/* The arguments that run one test: those of argv and some more.  To be freed with
 * hd_test_argv_free. */
char **hd_test_argv(const struct hd_framework *f, char *const *argv, const char *test);
void hd_test_argv_free(char **argv, char *const *original);

#endif
