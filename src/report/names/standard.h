/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard.h - the C or C++ standard for which a program was compiled, as far as it affects which
 * accesses race: the rule for release sequences. */
#ifndef HD_REPORT_NAMES_STANDARD_H
#define HD_REPORT_NAMES_STANDARD_H

#include <stdbool.h>

#include "model/race.h"

/* Returns the rule for the program in that file.  Returns HD_RELEASE_OPEN if its debug information
 * names no standard, or standards with different rules. */
enum hd_release_rule hd_standard_of_file(const char *path);

/* Returns the rule for one translation unit, from the compiler's text (DW_AT_producer).  Sets
 * *counts to false if the unit is not instrumented: then its rule does not matter. */
enum hd_release_rule hd_standard_of_unit(const char *producer, bool *counts);

#endif
