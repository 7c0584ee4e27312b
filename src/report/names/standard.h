/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard.h - by which standard of C or C++ a program was compiled, as far as that decides what
 * is a data race. */
#ifndef HD_REPORT_NAMES_STANDARD_H
#define HD_REPORT_NAMES_STANDARD_H

#include <stdbool.h>

#include "model/race.h"

/* The rule for the program in that file.  HD_RELEASE_OPEN where its debug information does not
 * tell, or tells more than one. */
enum hd_release_rule hd_standard_of_file(const char *path);

/* The rule for one translation unit, by what its compiler says of itself (DW_AT_producer); it
 * does not count when it is not instrumented. */
enum hd_release_rule hd_standard_of_unit(const char *producer, bool *counts);

#endif
