/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.h - fills buffers with the running thread's deterministic random bytes. */
#ifndef HD_RUNTIME_CALLS_RANDOM_H
#define HD_RUNTIME_CALLS_RANDOM_H

#include <stddef.h>

void hd_random_fill(void *buf, size_t n);

#endif
