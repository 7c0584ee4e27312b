/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alias.h - memory that the target has mapped at several addresses.
 *
 * Objects are known by their addresses.  A mutex or atomic in a shared mapping of a file
 * that is mapped a second time has two: the first mapping's counts.  Plain accesses are
 * not translated, that would cost every one of them; so races through such memory may
 * be missed, and a reduced search makes no claim (HD_FACT_ALIAS). */
#ifndef HD_RUNTIME_ALIAS_H
#define HD_RUNTIME_ALIAS_H

#include "runtime/rt.h"

/* A controlled thread has mapped n bytes of fd from at on, to be shared, or shared memory
 * of System V (fd -1, at its id). */
void hd_alias_mapped(uintptr_t addr, size_t n, int fd, uint64_t at);
/* ... or unmapped some. */
void hd_alias_unmapped(uintptr_t addr, size_t n);

/* Translations in use; 0 in almost every program. */
extern unsigned hd_naliases __attribute__((visibility("hidden")));

/* The address that counts. */
uintptr_t hd_alias_first(uintptr_t addr);

#endif
