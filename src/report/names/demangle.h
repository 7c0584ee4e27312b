/* SPDX-License-Identifier: BSD-2-Clause
 *
 * demangle.h - readable names of C++ functions. */
#ifndef HD_REPORT_NAMES_DEMANGLE_H
#define HD_REPORT_NAMES_DEMANGLE_H

#include <stddef.h>

/* Returns the demangled name, which the caller frees.  Returns NULL if the name is not mangled or
 * cannot be demangled. */
char *hd_demangle(const char *name);

/* Writes the demangled name, or the original one if it cannot be demangled.  Truncates it to the
 * size of the buffer. */
void hd_demangle_into(const char *name, char *buf, size_t cap);

#endif
