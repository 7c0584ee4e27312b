/* SPDX-License-Identifier: BSD-2-Clause
 *
 * palloc.h - the interface of Pintos' page allocator. */
#ifndef PALLOC_H
#define PALLOC_H

#include <stddef.h>

enum palloc_flags { PAL_ASSERT = 1, PAL_ZERO = 2 };

void *palloc_get_page(enum palloc_flags flags);
void *palloc_get_multiple(enum palloc_flags flags, size_t n);
void palloc_free_page(void *page);
void palloc_free_multiple(void *pages, size_t n);

#endif
