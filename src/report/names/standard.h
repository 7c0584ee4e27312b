/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard.h - the standard of C or C++ that a program was compiled for, as far as it
 * affects what is a data race. */
#ifndef HD_REPORT_NAMES_STANDARD_H
#define HD_REPORT_NAMES_STANDARD_H

#include <stdbool.h>

#include "model/race.h"

/* The rule for the program in that file.  HD_RELEASE_OPEN if its debug information names no
 * standard or several. */
enum hd_release_rule hd_standard_of_file(const char *path);

/* The rule for one translation unit, from its compiler's text (DW_AT_producer); *counts is
 * false if it is not instrumented. */
enum hd_release_rule hd_standard_of_unit(const char *producer, bool *counts);

#endif
