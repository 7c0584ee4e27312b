/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bad_free_fixed.c - free of what malloc returned. */
#define FIXED
#include "bad_free_bug.c"
