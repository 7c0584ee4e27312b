/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen.h - finds the parts of a program and its libraries that Heddle does not see (scan/scan.h),
 * by object. */
#ifndef HD_PROGRAM_UNSEEN_H
#define HD_PROGRAM_UNSEEN_H

#include <sys/stat.h>

#include "model/ledger.h"
#include "program/elf_info.h"
#include "scan/scan.h"

struct hd_unseen_object {
    char *path;
    bool system; /* in the system's library directories, so not code of the user */
    bool cplusplus; /* the C++ library */
    bool openmp; /* an OpenMP library, whose effect on the order of threads the runtime knows */
    bool quick;  /* the scan lists every function and has analysed none */
    struct stat file; /* what was scanned */
    struct hd_scan scan;
};

/* The remedy for an OpenMP library, which heddle cc does not compile. */
#define HD_UNSEEN_OPENMP "for a proof, write the test with pthreads"

struct hd_unseen_objects {
    struct hd_unseen_object *object; /* the first is the program */
    size_t n;
};

/* Scans the program and the libraries that the loader loads for it, except the C library, the
 * compilers' runtime libraries and Heddle.  If the loader cannot be asked, scans only the program.
 * hd_unseen_close keeps the scans for the next hd_unseen_open. */
void hd_unseen_open(struct hd_unseen_objects *o, struct hd_elf_info *info);
void hd_unseen_close(struct hd_unseen_objects *o);

/* Returns the effect on a claim if this function runs concurrently with other threads. */
enum hd_ledger_effect hd_unseen_effect(const struct hd_unseen_object *o, const struct hd_unseen *u);

/* True for a library whose functions are modelled or touch nothing that threads share. */
bool hd_unseen_is_known(const char *path);
/* True for the C++ library. */
bool hd_unseen_is_cplusplus(const char *path);

/* Writes the names of the functions into buf, for example "bump, get and 3 more". */
void hd_unseen_names(const struct hd_scan *s, char *buf, size_t cap);

#endif
