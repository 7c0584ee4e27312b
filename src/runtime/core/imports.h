/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imports.h - finds out which functions the program and its libraries import.
 *
 * A function that a program never calls needs no scheduling points.  The relocations show before main which
 * functions it can call, so the result is the same in every execution, every worker and every replay. */
#ifndef HD_RUNTIME_CORE_IMPORTS_H
#define HD_RUNTIME_CORE_IMPORTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* True if an object other than libc, the loader and the runtime imports one of these names (list
 * ended by NULL). */
bool hd_imports_any(const char *const *names);
/* True if any loaded object imports one of these names.  May be called in a constructor. */
bool hd_imports_anywhere(const char *const *names);
/* Like hd_imports_any, but also returns true if the program can look up any function at run time
 * (dlsym, dlopen). */
bool hd_imports_may(const char *const *names);

/* Calls fn for each relocation with a symbol in the objects other than libc, the loader and the
 * runtime.  bias is the object's load address. */
typedef void hd_import_fn(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *arg);
void hd_imports_each(hd_import_fn *fn, void *arg);

bool hd_imports_is_same(const char *s, const char *t);

#endif
