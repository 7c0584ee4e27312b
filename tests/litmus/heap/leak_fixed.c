/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak_fixed.c - looking and filling are one critical section. */
#define FIXED
#include "leak_bug.c"
