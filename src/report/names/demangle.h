/* SPDX-License-Identifier: BSD-2-Clause
 *
 * demangle.h - readable names of C++ functions. */
#ifndef HD_REPORT_NAMES_DEMANGLE_H
#define HD_REPORT_NAMES_DEMANGLE_H

#include <stddef.h>

/* The demangled name, to be freed by the caller; NULL if the name is not mangled or cannot
 * be demangled. */
char *hd_demangle(const char *name);

/* The demangled or the original name into buf; truncated if there is no room. */
void hd_demangle_into(const char *name, char *buf, size_t cap);

#endif
