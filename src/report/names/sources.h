/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sources.h - the source files that the debug information of a program names. */
#ifndef HD_REPORT_NAMES_SOURCES_H
#define HD_REPORT_NAMES_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a source file of the program that was changed after the program was built: then lines in reports are
 * wrong, or a repair is not in the program yet.  Files of the system do not count.  Returns false if there is
 * none, or if the program has no debug information. */
bool hd_sources_newer(const char *program, char *source, size_t cap);

#endif
