/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted.h - notes about facts that are visible only when an object is compiled: inline assembly, and stores of
 * returned structures (program/struct_returns.h). `heddle assemble` (cli/cmd_assemble.c) writes them into
 * sections of the object, as assembler text; the scan of the linked object reads them. */
#ifndef HD_SCAN_NOTED_H
#define HD_SCAN_NOTED_H

#include <stdio.h>

#include "scan/image.h"

#define HD_NOTED_ASSEMBLY ".heddle.assembly"
#define HD_NOTED_RETURNED ".heddle.returned"

struct hd_noted {
    const char *function; /* symbol of the function */
    const char *place;    /* "file.c:12" */
};

/* Writes one entry as assembler text. */
void hd_noted_write(FILE *to, const char *section, const char *function, const char *file, unsigned line);

/* Calls fn for all entries of a section. */
void hd_noted_each(const struct hd_image *im, const char *section, void (*fn)(const struct hd_noted *, void *), void *arg);

#endif
