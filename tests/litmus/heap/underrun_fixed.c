/* SPDX-License-Identifier: BSD-2-Clause
 *
 * underrun_fixed.c - the first word is. */
#define FIXED
#include "underrun_bug.c"
