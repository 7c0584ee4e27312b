/* SPDX-License-Identifier: BSD-2-Clause
 *
 * generate.h - seeded random in-memory programs, by family of operations. */
#ifndef HD_TESTS_ORACLE_GENERATE_H
#define HD_TESTS_ORACLE_GENERATE_H

#include <stdio.h>

#include "support/program.h"

#define GENERATE_FAMILIES(X) \
    X(MEMORY, "memory") X(MUTEX, "mutex") X(RWSEM, "rwlock-semaphore") X(COND, "condition") \
    X(TIMED, "timed-wait") X(BARRIER, "barrier") X(SPAWN, "spawn-join") X(ONCE, "once") \
    X(FUTEX, "futex") X(CHOICE, "choice") X(MIXED, "mixed") X(SECTIONS, "sections") \
    X(ATOMIC, "atomic-section") X(SERIAL, "barrier-serial") X(ENDS, "thread-ends") \
    X(TRANSACTION, "transaction")

enum generate_family {
#define X(id, text) GENERATE_##id,
    GENERATE_FAMILIES(X)
#undef X
    GENERATE_COUNT
};

/* Does the program have atomic sections?  Several workers may then begin executions that are
 * redundant (dpor.c, D8). */
bool generate_is_atomic(const struct program *p);
/* Does print_c.h print the programs of the family as C that does the same?  Not transactions: on the
 * runtime they may be aborted (tests/transactions). */
static inline bool generate_is_native(enum generate_family f)
{
    return f != GENERATE_TRANSACTION;
}

const char *generate_name(enum generate_family f);
void generate(struct program *p, enum generate_family f, uint64_t seed, uint64_t index);
/* One line per thread; print_c.h prints a whole C program. */
void generate_print(const struct program *p, FILE *out);

#endif
