/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idiom_trace.h - the idioms of an execution: those that it had, and those that another
 * order of the same accesses could have.
 *
 * Scratch memory, rebuilt for each execution.  Items without room are dropped; idioms only
 * guide the search, nothing is proved from them. */
#ifndef HD_SEARCH_SAMPLE_IDIOM_TRACE_H
#define HD_SEARCH_SAMPLE_IDIOM_TRACE_H

#include "base/set.h"
#include "model/execution.h"
#include "search/core/step.h"
#include "search/sample/idioms.h"

#define HD_IDIOM_WINDOW_MAX 16 /* maximum number of earlier accesses of a thread to combine with */
#define HD_IDIOM_HELD 4        /* maximum number of locks recorded per thread */
#define HD_IDIOM_GROUP 12      /* maximum number of accesses in a group */
#define HD_IDIOM_DEPS 32       /* number of dependencies that may become part of a larger idiom */

/* One critical section of a lock. */
struct hd_idiom_held {
    uint32_t lock, section;
};

/* One access. */
struct hd_idiom_access {
    uint32_t obj;
    uint32_t nth;    /* counts the thread's events with accesses */
    uint32_t record; /* record + 1; 0: there was no room */
    uint16_t place;
    hd_tid tid;
    uint32_t nheld;
    struct hd_idiom_held held[HD_IDIOM_HELD];
};

/* All accesses of one thread to one object at one place. */
struct hd_idiom_record {
    uint32_t obj, object; /* object id, and its index here */
    uint32_t next;      /* next record of the object + 1 */
    uint16_t place;
    hd_tid tid;
    uint8_t access;     /* enum hd_access */
    uint8_t nlocks;     /* locks that were held each time */
    struct {
        uint32_t lock;
        bool first, last; /* it was, at least once, the first or the last use of the object in the
                           * section */
    } locks[HD_IDIOM_HELD];
    uint32_t clock[2];  /* clock rows of the first and the last access */
};

/* Two accesses of one thread, at most a window apart. */
struct hd_idiom_pair {
    uint32_t from, to;  /* records */
    uint32_t next;      /* next pair of the same two objects + 1 */
    uint32_t nthrough;  /* locks that were never released in between */
    uint32_t through[HD_IDIOM_HELD];
};

/* Consecutive accesses to an object that do not conflict with each other. */
struct hd_idiom_group {
    uint32_t n, access;
    struct hd_idiom_access who[HD_IDIOM_GROUP];
};

struct hd_idiom_object {
    uint32_t records;              /* first record + 1 */
    uint32_t published;            /* row + 1 that a synchronisation published here */
    struct hd_idiom_group now, before;
};

struct hd_idiom_dep {
    struct hd_idiom_access from, to;
};

struct hd_idiom_thread {
    uint32_t nth;
    uint32_t clock; /* row + 1; 0: not started */
    uint32_t nheld;
    struct hd_idiom_held held[HD_IDIOM_HELD];
    uint32_t nrecent; /* number of accesses so far; the last ones are kept */
    struct hd_idiom_access recent[HD_IDIOM_WINDOW_MAX];
};

struct hd_idiom_slot {
    uint64_t key;
    uint32_t stamp, value;
};

struct hd_idiom_trace {
    struct hd_idioms *idioms;
    uint32_t window;
    uint32_t stamp;    /* marks the slots in use */
    uint32_t nslots, nobjects, nrecords, npairs, nuses, nbuckets, nrows, ndeps, sections;
    uint32_t nthreads;
    struct hd_idiom_slot *slot;
    struct hd_idiom_object *object;
    struct hd_idiom_record *record;
    struct hd_idiom_access *use;   /* the last access of a thread to an object */
    struct hd_idiom_pair *pair;
    uint32_t *bucket;              /* first pair of two objects + 1 */
    struct hd_idiom_thread *thread; /* [HD_MAX_THREADS] */
    uint16_t *row;                 /* [nrows][HD_MAX_THREADS]: vector clocks */
    struct hd_idiom_dep dep[HD_IDIOM_DEPS];
};

void hd_idiom_trace_init(struct hd_idiom_trace *t, struct hd_idioms *idioms, struct hd_arena *arena);

/* Add the idioms that the execution had, then those that it could have had.  Accesses of a
 * thread that are more than `window` apart do not form an idiom. */
void hd_idiom_trace_learn(struct hd_idiom_trace *t, const struct hd_execution *done, uint32_t window);

/* The second half of hd_idiom_trace_learn, in idiom_predict.c. */
void hd_idiom_predict(struct hd_idiom_trace *t);

/* Does everything at row a, of thread tid, happen before everything at row b?  Mutexes
 * order nothing here, because their sections could come in the other order. */
static inline bool hd_idiom_before(const struct hd_idiom_trace *t, uint32_t a, hd_tid tid, uint32_t b)
{
    return t->row[(uint64_t)b * HD_MAX_THREADS + tid] >= t->row[(uint64_t)a * HD_MAX_THREADS + tid];
}

/* Is this an access whose order a schedule can change? */
bool hd_idiom_counts(const struct hd_event *e, unsigned which);

#endif
