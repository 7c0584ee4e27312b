/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range_fixed.c - the block has room for all of them. */
#define FIXED
#include "range_bug.c"
