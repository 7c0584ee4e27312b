/* SPDX-License-Identifier: BSD-2-Clause
 *
 * off_by_one_fixed.c - the block has room for it. */
#define FIXED
#include "off_by_one_bug.c"
