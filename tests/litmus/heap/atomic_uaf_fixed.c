/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_uaf_fixed.c - who brings it to zero frees it. */
#define FIXED
#include "atomic_uaf_bug.c"
