/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.h - the partial order of an execution as a canonical hash, built event by
 * event: equal for two executions iff every pair of conflicting events has the same
 * order.  Two relations at once:
 *
 *   happens-before  conflicts of the event table
 *   lazy            the same without those that only a mutex makes: its sections are
 *                   unordered unless something else orders them; the same for
 *                   the mutex of a wait, but not for its condition.  A mutex that is
 *                   also tried keeps its edges: whether an attempt succeeds depends
 *                   on the order.
 *
 * Events can be taken back, so a recursion over schedules pays for each step once.
 * Shares with src/search only the event table. */
#ifndef HD_TESTS_ORACLE_ORDER_H
#define HD_TESTS_ORACLE_ORDER_H

#include "support/program.h"

#define ORDER_EVENTS 1024

/* What later events need of one. */
struct order_event {
    uint64_t id;       /* thread, position in the thread, what it is: hashed */
    uint64_t mark;     /* id, as part of what comes before others */
    uint64_t sum[2];   /* hashes of both relations, this event included */
    uint32_t obj[2];   /* 0 none */
    uint8_t access[2]; /* enum hd_access */
    uint8_t script;
    bool mutex_only;   /* the first object is a mutex that the lazy relation leaves out */
};

struct order {
    uint32_t n;
    uint32_t lazy_mutexes; /* bits */
    uint16_t count[PROG_THREADS]; /* events per script */
    struct order_event event[ORDER_EVENTS];
};

/* p NULL: no mutex is lazy. */
void order_start(struct order *o, const struct program *p);
/* script: of the event's thread. */
void order_push(struct order *o, const struct hd_event *e, unsigned script);
/* Take back all events but the first n. */
void order_pop(struct order *o, uint32_t n);

enum order_relation { ORDER_HAPPENS_BEFORE, ORDER_LAZY };
uint64_t order_hash(const struct order *o, enum order_relation r);

#endif
