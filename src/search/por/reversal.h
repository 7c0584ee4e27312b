/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reversal.h - the sequence that reverses a race.
 *
 * For a race between step e and a later operation of another thread, the sequence v to execute instead of e
 * consists of all steps of the whole execution after e that do not happen after e, followed by the operation.
 * (If v contained only the steps before the operation, classes would be lost.) The automata of the operation's
 * objects decide whether the operation can run there and with which outcome.  If a step in v acquires something
 * that the operation needs and does not release it, v omits that acquisition and everything that happens after
 * it. */
#ifndef HD_SEARCH_POR_REVERSAL_H
#define HD_SEARCH_POR_REVERSAL_H

#include "base/limits.h"
#include "search/por/beside.h"
#include "search/por/history.h"

/* The later part of a race: an executed step, or the pending operation of a thread. */
struct hd_racer {
    hd_tid tid;
    uint32_t step;   /* HD_NO_STEP: the operation is pending */
    uint32_t before; /* the thread's previous step, or the step that created the thread, or HD_NO_STEP */
    const struct hd_event *op;
};

#define HD_REVERSAL_VALUES HD_LIMIT(64, 3)

/* A stored answer of find_values in reversal.c: whether the events of an execution determine the values of a
 * location. */
struct hd_reversal_values {
    uint64_t index; /* 1 + the index of the execution; 0: no entry */
    uint32_t nevents;
    uint32_t obj;
    uint32_t initial;
    uint8_t size;
    bool tell;
};

struct hd_reversal {
    struct hd_trace *trace;
    struct hd_history history;
    struct hd_beside beside;
    struct hd_reversal_values values[HD_REVERSAL_VALUES];
    struct hd_automaton lock, queue;
    bool blocks;                   /* a step may consist of several operations; at another position it may end
                                    * earlier or later, so its accesses cannot be predicted */
    uint32_t *index;               /* [HD_TRACE_STEPS]: v without its last step */
    const struct hd_step **v;      /* [HD_TRACE_STEPS + 1] */
    uint32_t nv;
    uint32_t end;                  /* index after the last step that does not happen after e */
    bool fixed;                    /* v omits none of these steps, and the operation's outcome does not depend
                                    * on them; or the reversal is impossible in any case */
    bool untried;                  /* it is unknown whether the operation, which belongs to a waiting loop,
                                    * would only begin another round if it came before e (model/awaits.h) */
    uint64_t key;                  /* the operation's key (model/awaits.h) */
    uint32_t value;                /* hash of the location's value before e (hd_event_value_hash); 0: unknown */
    struct hd_event op;            /* the racer's operation; see hd_reversal_normal */
    struct hd_step last;           /* the predicted step of the operation after v */
};

void hd_reversal_init(struct hd_reversal *r, struct hd_trace *t, struct hd_arena *arena);

/* Returns the operation for which the step was scheduled; NULL if it left no event. */
const struct hd_event *hd_reversal_operation(const struct hd_trace *t, uint32_t step);

/* Returns the racer's operation in the form in which it is replayed: the end of a wait becomes a wake-up, even
 * if the wait timed out or no thread has woken it yet. */
struct hd_event hd_reversal_normal(const struct hd_trace *t, const struct hd_racer *racer);

/* Returns the number of steps of the execution that may occur in v. */
uint32_t hd_reversal_steps(const struct hd_trace *t);

/* Returns the key of an operation of a waiting loop (hd_event_awaits), which may be an event of the trace or
 * pending. */
uint64_t hd_reversal_key(const struct hd_trace *t, const struct hd_event *op);

/* Returns whether the operation would only begin another round if it found the value with this hash
 * (hd_event_value_hash; 0: unknown). */
enum hd_await_outcome hd_reversal_outcome(const struct hd_trace *t, const struct hd_event *op, uint32_t value);

/* Return the hash (hd_event_value_hash) of the value that the location of op has before the step, or after it;
 * 0: unknown. */
uint32_t hd_reversal_value_before(const struct hd_trace *t, uint32_t step, const struct hd_event *op);
uint32_t hd_reversal_value_after(const struct hd_trace *t, uint32_t step, const struct hd_event *op);

/* Computes v, nv, end, fixed and untried.  Returns false if the operation cannot come before e. */
bool hd_reversal_make(struct hd_reversal *r, uint32_t e, const struct hd_racer *racer);

/* Moves the operation, executed as `step`, to its earliest position in v: after the steps that happen before
 * it.  Precondition: v is fixed. */
void hd_reversal_move_earliest(struct hd_reversal *r, uint32_t step);

/* True if the operation can never come before e: because e enables it, or because the search explores no other
 * step in place of e (hd_execution.fixed). */
bool hd_reversal_is_impossible(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer);

/* True if v has the form that race_cover.h requires: all steps that do not happen after e, and the operation
 * exactly as executed.  Then v is also fixed. */
bool hd_reversal_is_plain(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer);

/* True if e and op take the same lock, so that op can take it instead of e.  Then op races with no acquisition
 * earlier than e, because those happen before e. */
bool hd_reversal_of_locks(const struct hd_trace *t, uint32_t e, const struct hd_event *op);

/* Computes v for taking alternative alt of choice e. */
void hd_reversal_choose(struct hd_reversal *r, uint32_t e, uint16_t alt);

#endif
