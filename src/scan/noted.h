/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted.h - what was seen when an object was compiled, and no longer can be: inline assembly, and
 * stores of returned structures (program/struct_returns.h).  It is kept in sections of the object so that
 * a later run knows: what `heddle assemble` (cli/cmd_assemble.c) writes there, in the assembler's
 * own words, and what the scan of the linked result reads. */
#ifndef HD_SCAN_NOTED_H
#define HD_SCAN_NOTED_H

#include <stdio.h>

#include "scan/image.h"

#define HD_NOTED_ASSEMBLY ".heddle.assembly"
#define HD_NOTED_RETURNED ".heddle.returned"

struct hd_noted {
    const char *function; /* its symbol */
    const char *place;    /* "file.c:12" */
};

/* One entry, as text for the assembler. */
void hd_noted_write(FILE *to, const char *section, const char *function, const char *file, unsigned line);

/* All entries of a section. */
void hd_noted_each(const struct hd_image *im, const char *section, void (*fn)(const struct hd_noted *, void *), void *arg);

#endif
