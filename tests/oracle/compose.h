/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compose.h - one program of several: its threads are theirs.
 *
 * Apart, each part keeps its objects for itself, so that nothing that one does matters to
 * another: the classes of the whole are the combinations of the parts' classes, and it
 * deadlocks where one of them does.  So the number is known of programs that are much too
 * large for the oracle, with races beside each other.  Together, all use the same objects:
 * programs of more threads than generate makes. */
#ifndef HD_TESTS_ORACLE_COMPOSE_H
#define HD_TESTS_ORACLE_COMPOSE_H

#include "oracle/generate.h"

#define COMPOSE_PARTS 3

/* In what order the threads are created depends on `order`.  False: there are more threads
 * or objects than a program has. */
bool compose_apart(struct program *p, const struct program *parts, unsigned n, uint64_t order);
bool compose_together(struct program *p, const struct program *parts, unsigned n, uint64_t order);

#endif
