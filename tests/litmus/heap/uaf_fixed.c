/* SPDX-License-Identifier: BSD-2-Clause
 *
 * uaf_fixed.c - the owner waits for the reader before it frees. */
#define FIXED
#include "uaf_bug.c"
