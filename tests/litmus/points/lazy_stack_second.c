/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_stack_second - a variable on the stack of main that both threads use under a mutex.
 *
 * Claim: the other thread is not the first to use it, which is wrong.  A search that takes the sections
 * for independent, as main's own stack is no other thread's, runs one order only. */
#include "points.h"

#define MAIN_FAILS 0
#include "lazy_stack.h"
