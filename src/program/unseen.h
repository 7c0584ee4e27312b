/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen.h - what of a program and of the libraries that it loads Heddle does not see
 * (scan/scan.h), object by object. */
#ifndef HD_PROGRAM_UNSEEN_H
#define HD_PROGRAM_UNSEEN_H

#include "model/ledger.h"
#include "program/elf_info.h"
#include "scan/scan.h"

struct hd_unseen_object {
    char *path;
    bool system; /* from the system's directories of libraries: not the user's own code */
    bool cplusplus; /* C++'s own library */
    bool openmp; /* OpenMP's: the runtime knows how it orders threads, or that it does not */
    bool quick;  /* every function is listed, none was looked at */
    struct hd_scan scan;
};

struct hd_unseen_objects {
    struct hd_unseen_object *object; /* the first is the program */
    size_t n;
};

/* Scan the program and what the loader loads for it, but for the C library, the compilers' own
 * run-time libraries and Heddle.  Where the loader cannot be asked, only the program. */
void hd_unseen_open(struct hd_unseen_objects *o, struct hd_elf_info *info);
void hd_unseen_close(struct hd_unseen_objects *o);

/* What it does to a claim that this function runs beside other threads. */
enum hd_ledger_effect hd_unseen_effect(const struct hd_unseen_object *o, const struct hd_unseen *u);

/* Is the library one of those whose functions are modelled or touch nothing that threads share? */
bool hd_unseen_is_known(const char *path);
/* Is it C++'s own? */
bool hd_unseen_is_cplusplus(const char *path);

/* "bump, get and 3 more" into buf. */
void hd_unseen_names(const struct hd_scan *s, char *buf, size_t cap);

#endif
