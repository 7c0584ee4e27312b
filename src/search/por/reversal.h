/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reversal.h - which sequence shows the other order of a race.
 *
 * For a race of step e with a later operation of another thread, the sequence v to
 * be executed instead of e: all steps of the whole execution after e that do not
 * happen after e, and then the operation.  Cut off at the operation, v loses
 * classes.  Whether the operation can run there, and what it does, is decided by
 * feeding the automata of its objects; when somebody in v holds what it needs, the
 * holder's acquisition is left out of v with everything that happens after it. */
#ifndef HD_SEARCH_POR_REVERSAL_H
#define HD_SEARCH_POR_REVERSAL_H

#include "model/automaton.h"
#include "search/por/trace.h"

/* The later part of a race: an executed step, or what a thread still waits for. */
struct hd_racer {
    hd_tid tid;
    uint32_t step;   /* HD_NO_STEP: it never ran */
    uint32_t before; /* the thread's step before it, or its creation; HD_NO_STEP */
    const struct hd_event *op;
};

struct hd_reversal {
    struct hd_trace *trace;
    struct hd_automaton lock, queue;
    uint32_t *index;               /* [HD_TRACE_STEPS]: v without its last step */
    const struct hd_step **v;      /* [HD_TRACE_STEPS + 1] */
    uint32_t nv;
    uint32_t end;                  /* behind the last of all steps that do not happen after e */
    bool fixed;                    /* v leaves none of these out, and the operation does the
                                    * same whatever they are; or it cannot, come what may */
    struct hd_event op;            /* the racer's, see hd_reversal_normal */
    struct hd_step last;           /* what the operation does after v */
};

void hd_reversal_init(struct hd_reversal *r, struct hd_trace *t, struct hd_arena *arena);

/* The operation that step waited for; NULL when it left no event. */
const struct hd_event *hd_reversal_operation(const struct hd_trace *t, uint32_t step);

/* The operation of the racer in the form in which it is replayed: the end of a wait
 * as the wake-up that it may be, also when it timed out or nobody has woken it yet. */
struct hd_event hd_reversal_normal(const struct hd_trace *t, const struct hd_racer *racer);

/* The steps of an execution that have a place in v, if they do not happen after e. */
uint32_t hd_reversal_steps(const struct hd_trace *t);

/* Fill v, nv, end and fixed.  False: the operation cannot come before e. */
bool hd_reversal_make(struct hd_reversal *r, uint32_t e, const struct hd_racer *racer);

/* The operation, executed as that step, comes as early in v as it can: behind what happens
 * before it.  Only where v is fixed. */
void hd_reversal_hasten(struct hd_reversal *r, uint32_t step);

/* Does e let the operation happen?  Then that never comes first, come what may. */
bool hd_reversal_is_impossible(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer);

/* Is v what cover.h says: all steps that do not happen after e, and the operation as it was
 * executed?  Then it is fixed, too. */
bool hd_reversal_is_plain(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer);

/* Are e and op acquisitions of one lock, of which the second may come in the place of the
 * first?  Then it is in a race with no earlier one: those come before e. */
bool hd_reversal_of_locks(const struct hd_trace *t, uint32_t e, const struct hd_event *op);

/* The same for the choice e, instead of which another alternative is taken. */
void hd_reversal_choose(struct hd_reversal *r, uint32_t e, uint16_t alt);

#endif
