/* SPDX-License-Identifier: BSD-2-Clause
 *
 * realloc_fixed.c - it is read anew under the lock. */
#define FIXED
#include "realloc_bug.c"
