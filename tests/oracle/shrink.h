/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink.h - makes a failing in-memory program small. */
#ifndef HD_TESTS_ORACLE_SHRINK_H
#define HD_TESTS_ORACLE_SHRINK_H

#include "support/program.h"

typedef bool (*shrink_predicate)(const struct program *p, const void *ctx);

/* Removes threads and operations and simplifies operands for as long as the program
 * stays well-formed (print_c_possible) and still fails.  At the end no single such
 * change keeps it failing. */
void shrink(struct program *p, shrink_predicate fails, const void *ctx);

#endif
