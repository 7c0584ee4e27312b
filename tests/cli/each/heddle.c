/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.c - a test program of <heddle/test.h>; C and C++. */
#include <heddle/test.h>

#include <assert.h>

#include "counter.h"

HEDDLE_TEST(loses_updates) { assert(count_with(2) == 2); }

HEDDLE_TEST(counts_alone) { assert(count_with(1) == 1); }

HEDDLE_TEST_MAIN
