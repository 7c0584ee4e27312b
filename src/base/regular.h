/* SPDX-License-Identifier: BSD-2-Clause
 *
 * regular.h - opens a file that the user named and that is read as a whole.  A device has
 * no end and a pipe may have no writer, so only regular files are read, up to a maximum
 * size. */
#ifndef HD_BASE_REGULAR_H
#define HD_BASE_REGULAR_H

#include <stdint.h>
#include <stdio.h>

/* Returns NULL on failure, with the reason in *problem (valid until the next call). */
FILE *hd_regular_open(const char *path, uint64_t max_bytes, const char **problem);

#endif
