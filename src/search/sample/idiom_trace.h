/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idiom_trace.h - finds the idioms (idioms.h) of an execution: those that occurred, and those that could occur
 * if the same accesses came in another order.
 *
 * The tables are filled again for each execution.  Items for which there is no room are dropped: idioms only
 * guide the search, and prove nothing. */
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
    uint32_t nth;    /* number of the thread's events with accesses up to this one */
    uint32_t record; /* 1 + its record; 0: there was no room */
    uint16_t place;
    hd_tid tid;
    uint32_t nheld;
    struct hd_idiom_held held[HD_IDIOM_HELD];
};

/* All accesses of one thread to one object at one place. */
struct hd_idiom_record {
    uint32_t obj, object; /* the object's id, and its index in the table of objects */
    uint32_t next;      /* 1 + the next record of the object */
    uint16_t place;
    hd_tid tid;
    uint8_t access;     /* enum hd_access */
    uint8_t nlocks;     /* number of locks that were held each time */
    struct {
        uint32_t lock;
        bool first, last; /* it was, at least once, the first or the last use of the object in the section */
    } locks[HD_IDIOM_HELD];
    uint32_t clock[2];  /* clock rows of the first and the last access */
};

/* Two accesses of one thread, not further apart than the window. */
struct hd_idiom_pair {
    uint32_t from, to;  /* indices of the two records */
    uint32_t next;      /* 1 + the next pair of the same two objects */
    uint32_t nthrough;  /* number of locks that were held throughout, every time */
    uint32_t through[HD_IDIOM_HELD];
};

/* Consecutive accesses to an object that do not conflict with each other. */
struct hd_idiom_group {
    uint32_t n, access;
    struct hd_idiom_access who[HD_IDIOM_GROUP];
};

struct hd_idiom_object {
    uint32_t records;              /* 1 + the first record */
    uint32_t published;            /* 1 + the clock row that a synchronisation published here */
    struct hd_idiom_group now, before;
};

struct hd_idiom_dep {
    struct hd_idiom_access from, to;
};

struct hd_idiom_thread {
    uint32_t nth;
    uint32_t clock; /* 1 + its clock row; 0: not started */
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
    uint32_t stamp;    /* equals hd_idiom_slot.stamp of the slots in use */
    uint32_t nslots, nobjects, nrecords, npairs, nuses, nbuckets, nrows, ndeps, sections;
    uint32_t nthreads;
    struct hd_idiom_slot *slot;
    struct hd_idiom_object *object;
    struct hd_idiom_record *record;
    struct hd_idiom_access *use;   /* the last access of a thread to an object */
    struct hd_idiom_pair *pair;
    uint32_t *bucket;              /* 1 + the first pair of two objects */
    struct hd_idiom_thread *thread; /* [HD_MAX_THREADS] */
    uint16_t *row;                 /* [nrows][HD_MAX_THREADS]: vector clocks */
    struct hd_idiom_dep dep[HD_IDIOM_DEPS];
};

void hd_idiom_trace_init(struct hd_idiom_trace *t, struct hd_idioms *idioms, struct hd_arena *arena);

/* Adds the idioms that occurred, then those that could have occurred.  Accesses of a thread that are more than
 * `window` apart do not form an idiom. */
void hd_idiom_trace_learn(struct hd_idiom_trace *t, const struct hd_execution *done, uint32_t window);

/* The second half of hd_idiom_trace_learn, in idiom_predict.c. */
void hd_idiom_predict(struct hd_idiom_trace *t);

/* Rows are rows of the table of vector clocks.  True if what thread tid does at row a happens before everything that is
 * done at row b.  Mutexes order nothing here, because their critical sections could come in the other order. */
static inline bool hd_idiom_before(const struct hd_idiom_trace *t, uint32_t a, hd_tid tid, uint32_t b)
{
    return t->row[(uint64_t)b * HD_MAX_THREADS + tid] >= t->row[(uint64_t)a * HD_MAX_THREADS + tid];
}

/* True if access `which` of e is one whose order a schedule can change. */
bool hd_idiom_counts(const struct hd_event *e, unsigned which);

#endif
