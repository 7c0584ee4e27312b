/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_freed_fixed.c - the block goes after the join. */
#define FIXED
#include "mutex_freed_bug.c"
