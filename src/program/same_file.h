/* SPDX-License-Identifier: BSD-2-Clause
 *
 * same_file.h - checks whether two paths lead to one file. */
#ifndef HD_PROGRAM_SAME_FILE_H
#define HD_PROGRAM_SAME_FILE_H

#include <stdbool.h>

/* True if a and b lead to the same file.  Works also for files that do not exist yet; "-" is
 * standard output.  The null device is never the same file, because its output is discarded. */
bool hd_same_file(const char *a, const char *b);

#endif
