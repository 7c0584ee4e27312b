/* SPDX-License-Identifier: BSD-2-Clause
 *
 * same_file.h - do two paths lead to one file? */
#ifndef HD_PROGRAM_SAME_FILE_H
#define HD_PROGRAM_SAME_FILE_H

#include <stdbool.h>

/* Whether or not it exists already; "-" is standard output.  What is written to the null
 * device is nowhere, and so never the same. */
bool hd_same_file(const char *a, const char *b);

#endif
