/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imports.h - does the program, or a library of its, call a function at all?
 *
 * What a program never calls needs no scheduling points.  That is known before main from
 * what its objects ask the loader for, and so the same in every execution, every worker
 * and every replay. */
#ifndef HD_RUNTIME_IMPORTS_H
#define HD_RUNTIME_IMPORTS_H

#include <stdbool.h>

/* One of these names (ended by NULL), in any object but libc, the loader and the runtime. */
bool hd_imports_any(const char *const *names);

#endif
