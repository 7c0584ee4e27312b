/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dead_stack_fixed.c - the local is static. */
#define FIXED
#include "dead_stack_bug.c"
