/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memcheck.h - reports of memory that must not be touched, or freed. */
#ifndef HD_RUNTIME_WATCH_MEMCHECK_H
#define HD_RUNTIME_WATCH_MEMCHECK_H

#include <stdint.h>

struct hd_block;

/* free or realloc (`what`) of p, where no live block begins; b is the freed block that begins
 * there, or NULL.  Does not return in a controlled thread. */
void hd_memcheck_bad_free(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc);

#endif
