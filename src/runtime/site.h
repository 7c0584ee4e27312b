/* SPDX-License-Identifier: BSD-2-Clause
 *
 * site.h - places that call malloc and free, with the calls that led there, as small
 * numbers: a block has to remember two of them, and there are few. */
#ifndef HD_RUNTIME_SITE_H
#define HD_RUNTIME_SITE_H

#include "runtime/rt.h"

/* The number of the running thread's place; lives as long as the process. */
uint32_t hd_site_here(uint64_t pc);
/* What it stands for: pc and calls of *out are set. */
void hd_site_get(uint32_t id, struct hd_heap_site *out);

#endif
