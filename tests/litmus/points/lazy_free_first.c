/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_free_first - main frees a block under a mutex, another thread reads it under the same one.
 *
 * Claim: it is read before it is free, which is wrong.  Neither writes anything: only because
 * to free is to write do the sections not commute. */
#include "points.h"

#define MAIN_USES 0
#include "lazy_free.h"
