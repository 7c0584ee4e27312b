/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak_first_fixed.c - it is lost in every execution, which is no matter of order. */
#define FIXED
#include "leak_first_bug.c"
