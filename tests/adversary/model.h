/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model.h - all outcomes of a small program (text.h), by what POSIX and C11 say about each
 * operation and not by what Heddle does. */
#ifndef ADVERSARY_MODEL_H
#define ADVERSARY_MODEL_H

#include <stdbool.h>

#include "text.h"

enum { MODEL_CODES = 256 };

struct outcomes {
    bool code[MODEL_CODES]; /* exit codes that occur */
    bool stuck;             /* threads may wait forever */
    /* Threads that take two locks in different orders may for ever give them back to each other: */
    bool may_cycle;         /* that can go on, if others do something, too */
    bool must_cycle;        /* and without them */
    bool misused;           /* something that no program may do */
    bool large;             /* too many states; nothing is known */
    unsigned states;
    double orders;          /* of steps; 0: without limit, some loop goes round */
};

/* of_libc: also what POSIX forbids, but glibc does (its bug 12683): a thread may be cancelled in a system
 * call that has taken effect already.  Heddle does as POSIX says. */
void model_outcomes(const struct text *p, bool of_libc, struct outcomes *out);

#endif
