/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_race_fixed.c - the free comes after the join. */
#define FIXED
#include "free_race_bug.c"
