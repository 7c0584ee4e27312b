/* SPDX-License-Identifier: BSD-2-Clause
 *
 * programs.h - named in-memory programs with known counts, and shorthands to
 * write more. */
#ifndef HD_TESTS_SUPPORT_PROGRAMS_H
#define HD_TESTS_SUPPORT_PROGRAMS_H

#include "support/program.h"

#define CREATE(t) { OP_CREATE, (t), 0, 0 }
#define CREATE_ALL(a, b) { OP_CREATE, (a), (b), 0 }
#define JOIN(t) { OP_JOIN, (t), 0, 0 }
#define LOCK(m) { OP_LOCK, (m), 0, 0 }
#define UNLOCK(m) { OP_UNLOCK, (m), 0, 0 }
#define READ(x) { OP_READ, (x), 0, 0 }
#define WRITE(x, v) { OP_WRITE, (x), (v), 0 }
#define ADD(x, v) { OP_ADD, (x), (v), 0 }
#define ASSERT_EQ(x, y) { OP_ASSERT_EQ, (x), (y), 0 }
#define ASSERT_BELOW(x, v) { OP_ASSERT_BELOW, (x), (v), 0 }
#define PLAIN_ADD(x, v) { OP_PLAIN_ADD, (x), (v), 0 }
#define PLAIN_BELOW(x, v) { OP_PLAIN_BELOW, (x), (v), 0 }
#define YIELD { OP_YIELD, 0, 0, 0 }
#define CHOOSE(n, x) { OP_CHOOSE, (n), (x), 0 }
#define SECTION_BEGIN { OP_SECTION_BEGIN, 0, 0, 0 }
#define SECTION_END { OP_SECTION_END, 0, 0, 0 }
#define SKIP_NE(n, v) { OP_SKIP_NE, (n), (v), 0 }
#define BACK(n) { OP_BACK, (n), 0, 0 }
#define WAIT(c, m) { OP_WAIT, (c), (m), 0 }
#define SIGNAL(c) { OP_SIGNAL, (c), 0, 0 }
#define CAS(x, from, to) { OP_CAS, (x), (from), (to) }
#define FUTEX_WAIT(x, v) { OP_FUTEX_WAIT, (x), (v), 0 }
#define FUTEX_WAKE(x, n) { OP_FUTEX_WAKE, (x), (n), 0 }

extern const struct program prog_fig31; /* x=1,y=1 | z=1 | assert x==y */
extern const struct program prog_fig32; /* x=1,y=1 | the same | assert x==y */
extern const struct program prog_abba;  /* two locks in opposite order */
extern const struct program prog_two_by_two; /* two threads of two writes */
extern const struct program prog_three_adds; /* three threads, each add and yield */
extern const struct program prog_many_adds;  /* three threads of four steps on one variable */
extern const struct program prog_choices;    /* a choice of 3, then one of 2, in two threads */

#endif
