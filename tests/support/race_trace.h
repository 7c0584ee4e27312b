/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_trace.h - random traces of plain and atomic accesses, fences, locks, semaphores, barriers, thread creation and
 * joins, with the definition of a data race on them.
 *
 * The judge builds the happens-before relation edge by edge as C11 and POSIX define it
 * (release sequences by looking back along the stores, no clocks) and closes it. */
#ifndef HD_TESTS_RACE_TRACE_H
#define HD_TESTS_RACE_TRACE_H

#include "base/rng.h"
#include "model/event.h"

#define EVENTS 60
#define THREADS 6 /* a clock then needs more than one vector register */
#define BYTES 24

enum { OBJ_NONE, OBJ_MUTEX, OBJ_RWLOCK, OBJ_SEM, OBJ_THREAD, OBJ_ATOMIC = OBJ_THREAD + THREADS,
       OBJECTS = OBJ_ATOMIC + BYTES };

/* A line of a trace: an event or a plain access (kind PLAIN_READ or _WRITE).  The pc of line n is 1000 + n. */
struct line {
    struct hd_event e;
    unsigned at, size; /* of an access */
};

struct trace {
    struct line line[EVENTS];
    unsigned n;
    bool since_cxx20; /* only read-modify-writes continue a release sequence */
};

/* WILD: every thread may do anything.  In the others all accesses are plain.  MEEK: only by the owner of the mutex.
 * TAME: sometimes also by other threads. */
enum manners { WILD, TAME, MEEK };

void hd_trace_make(struct trace *t, uint64_t seed, enum manners manners);

typedef uint64_t lines; /* a set of lines: bit i for line i */

/* before[i]: all lines that happen before line i. */
void hd_trace_order(const struct trace *t, lines *before);

/* Does it, as an access, write? */
bool hd_trace_writes(const struct line *l);

/* Returns the first line that races on the byte with an earlier line, and that earlier line; n: there is none. */
unsigned hd_trace_first_race(const struct trace *t, const lines *before, unsigned byte, lines *with);

#endif
