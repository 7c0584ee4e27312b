/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_more.c - tests of a program may be in several files. */
#include <heddle/test.h>

HEDDLE_TEST(in_another_file) { heddle_assert(1 + 1 == 2); }
