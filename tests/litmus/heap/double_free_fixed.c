/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_free_fixed.c - only one of them can find the pointer. */
#define FIXED
#include "double_free_bug.c"
