/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imports.h - which functions do the program and its libraries call at all?
 *
 * What a program never calls needs no scheduling points.  That is known before main from
 * what its objects ask the loader for, and so the same in every execution, every worker
 * and every replay. */
#ifndef HD_RUNTIME_CORE_IMPORTS_H
#define HD_RUNTIME_CORE_IMPORTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* One of these names (ended by NULL), in any object but libc, the loader and the runtime. */
bool hd_imports_any(const char *const *names);
/* The same, or the means to get at any function while the program runs (dlsym, dlopen). */
bool hd_imports_may(const char *const *names);

/* Each relocation that names a symbol, in the same objects; bias is its object's. */
typedef void hd_import_fn(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *arg);
void hd_imports_each(hd_import_fn *fn, void *arg);

bool hd_imports_is_same(const char *s, const char *t);

#endif
