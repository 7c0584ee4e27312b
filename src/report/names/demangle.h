/* SPDX-License-Identifier: BSD-2-Clause
 *
 * demangle.h - names of C++ functions, for people. */
#ifndef HD_REPORT_NAMES_DEMANGLE_H
#define HD_REPORT_NAMES_DEMANGLE_H

#include <stddef.h>

/* The name without C++'s encoding, to be freed; NULL: it has none, or nobody here knows it. */
char *hd_demangle(const char *name);

/* The same into buf, or the name as it is; cut off where there is no room. */
void hd_demangle_into(const char *name, char *buf, size_t cap);

#endif
