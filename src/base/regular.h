/* SPDX-License-Identifier: BSD-2-Clause
 *
 * regular.h - opening what a user has named to be read as a whole.  A device has no end and a
 * pipe may have no writer: only files that lie somewhere are read, and only of a size that
 * what they should hold can have. */
#ifndef HD_BASE_REGULAR_H
#define HD_BASE_REGULAR_H

#include <stdint.h>
#include <stdio.h>

/* NULL with the reason in *problem (a text that lasts until the next call). */
FILE *hd_regular_open(const char *path, uint64_t max_bytes, const char **problem);

#endif
