/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read_past_fixed.c - only five are. */
#define FIXED
#include "read_past_bug.c"
