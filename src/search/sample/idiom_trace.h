/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idiom_trace.h - what an execution tells of idioms: which ones it had, and which ones
 * another order of the same accesses could have.
 *
 * Scratch memory: made anew for each execution.  Where something has no room it is left
 * out; idioms are a guess at what to try, no proof rests on them. */
#ifndef HD_SEARCH_SAMPLE_IDIOM_TRACE_H
#define HD_SEARCH_SAMPLE_IDIOM_TRACE_H

#include "base/set.h"
#include "model/execution.h"
#include "search/core/step.h"
#include "search/sample/idioms.h"

#define HD_IDIOM_WINDOW_MAX 16 /* accesses of a thread that are looked back at */
#define HD_IDIOM_HELD 4        /* locks of a thread that are kept */
#define HD_IDIOM_GROUP 12      /* accesses that do not conflict with each other */
#define HD_IDIOM_DEPS 32       /* dependencies that may still become part of a larger idiom */

/* One section of a lock. */
struct hd_idiom_held {
    uint32_t lock, section;
};

/* One access, as it happened. */
struct hd_idiom_access {
    uint32_t obj;
    uint32_t nth;    /* event of its thread that uses something */
    uint32_t record; /* + 1; 0: there was no room for it */
    uint16_t place;
    hd_tid tid;
    uint32_t nheld;
    struct hd_idiom_held held[HD_IDIOM_HELD];
};

/* All accesses of one thread to one object at one place. */
struct hd_idiom_record {
    uint32_t obj, object; /* which one, and its number here */
    uint32_t next;      /* + 1: another record of the object */
    uint16_t place;
    hd_tid tid;
    uint8_t access;     /* enum hd_access */
    uint8_t nlocks;     /* locks that were held each time: */
    struct {
        uint32_t lock;
        bool first, last; /* once it was the first, the last use of the object in the section */
    } locks[HD_IDIOM_HELD];
    uint32_t clock[2];  /* rows of the first and the last time */
};

/* Two accesses of one thread, at most a window apart. */
struct hd_idiom_pair {
    uint32_t from, to;  /* records */
    uint32_t next;      /* + 1: another pair of the same two objects */
    uint32_t nthrough;  /* locks that were not released in between, each time */
    uint32_t through[HD_IDIOM_HELD];
};

/* Accesses to an object that do not conflict, with nothing between them that does. */
struct hd_idiom_group {
    uint32_t n, access;
    struct hd_idiom_access who[HD_IDIOM_GROUP];
};

struct hd_idiom_object {
    uint32_t records;              /* + 1 */
    uint32_t published;            /* row that a synchronisation left here + 1 */
    struct hd_idiom_group now, before;
};

struct hd_idiom_dep {
    struct hd_idiom_access from, to;
};

struct hd_idiom_thread {
    uint32_t nth;
    uint32_t clock; /* row + 1; 0 not started */
    uint32_t nheld;
    struct hd_idiom_held held[HD_IDIOM_HELD];
    uint32_t nrecent; /* accesses so far; the last ones are kept */
    struct hd_idiom_access recent[HD_IDIOM_WINDOW_MAX];
};

struct hd_idiom_slot {
    uint64_t key;
    uint32_t stamp, value;
};

struct hd_idiom_trace {
    struct hd_idioms *idioms;
    uint32_t window;
    uint32_t stamp;    /* of the slots in use */
    uint32_t nslots, nobjects, nrecords, npairs, nuses, nbuckets, nrows, ndeps, sections;
    uint32_t nthreads;
    struct hd_idiom_slot *slot;
    struct hd_idiom_object *object;
    struct hd_idiom_record *record;
    struct hd_idiom_access *use;   /* the last one of a thread to an object */
    struct hd_idiom_pair *pair;
    uint32_t *bucket;              /* pairs of two objects + 1 */
    struct hd_idiom_thread *thread; /* [HD_MAX_THREADS] */
    uint16_t *row;                 /* [nrows][HD_MAX_THREADS]: vector clocks */
    struct hd_idiom_dep dep[HD_IDIOM_DEPS];
};

void hd_idiom_trace_init(struct hd_idiom_trace *t, struct hd_idioms *idioms, struct hd_arena *arena);

/* Enter into the idioms what the execution had, and then what it could have had.  Accesses
 * of a thread that are more than `window` apart make no idiom together. */
void hd_idiom_trace_learn(struct hd_idiom_trace *t, const struct hd_execution *done, uint32_t window);

/* The second half, in idiom_predict.c. */
void hd_idiom_predict(struct hd_idiom_trace *t);

/* Does everything at row a happen before everything at row b?  a is of that thread.
 * Mutexes order nothing here: their sections could come the other way round. */
static inline bool hd_idiom_before(const struct hd_idiom_trace *t, uint32_t a, hd_tid tid, uint32_t b)
{
    return t->row[(uint64_t)b * HD_MAX_THREADS + tid] >= t->row[(uint64_t)a * HD_MAX_THREADS + tid];
}

/* Is this an access of which the order can be chosen, and is a question? */
bool hd_idiom_counts(const struct hd_event *e, unsigned which);

#endif
