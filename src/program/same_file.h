/* SPDX-License-Identifier: BSD-2-Clause
 *
 * same_file.h - do two paths lead to one file? */
#ifndef HD_PROGRAM_SAME_FILE_H
#define HD_PROGRAM_SAME_FILE_H

#include <stdbool.h>

/* Also for files that do not exist yet; "-" is standard output.  The null device is never
 * the same file, because output to it goes nowhere. */
bool hd_same_file(const char *a, const char *b);

#endif
