/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aba_fixed.c - the exchange is made before the announcement ends. */
#define FIXED
#include "aba_bug.c"
