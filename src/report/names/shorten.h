/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shorten.h - short forms of the names of functions. */
#ifndef HD_REPORT_NAMES_SHORTEN_H
#define HD_REPORT_NAMES_SHORTEN_H

#include <stddef.h>

/* Writes the name with lambdas and long template arguments folded. */
void hd_name_shorten(const char *name, char *buf, size_t cap);

/* Folds the parameters of all functions in the name, in place: "f(int)::g(long)" becomes "f(..)::g(..)". */
void hd_name_fold_parameters(char *name);

#endif
