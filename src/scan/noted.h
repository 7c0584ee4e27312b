/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted.h - inline assembly that was seen when an object was compiled, kept in a section of it
 * so that a later run knows: what `heddle assemble` (cli/cmd_assemble.c) writes there, in the
 * assembler's own words, and what the scan of the linked result reads. */
#ifndef HD_SCAN_NOTED_H
#define HD_SCAN_NOTED_H

#include <stdio.h>

#include "scan/image.h"

#define HD_NOTED_SECTION ".heddle.assembly"

struct hd_noted {
    const char *function; /* its symbol */
    const char *place;    /* "file.c:12" */
};

/* One entry, as text for the assembler. */
void hd_noted_write(FILE *to, const char *function, const char *file, unsigned line);

/* All entries of an object. */
void hd_noted_each(const struct hd_image *im, void (*fn)(const struct hd_noted *, void *), void *arg);

#endif
