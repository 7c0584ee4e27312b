/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_conflict.c - goes back through the events of the execution and collects the steps that happen before the
 * transaction's thread has reached its begin.  Of the others, the first one met that conflicts is the cause. */
#include "runtime/watch/tx_conflict.h"

#include "base/check.h"
#include "base/set.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "search/core/step.h"

enum { OBJECTS = 1 << 20 };

/* Accesses to an object, as bits by class: of the transaction, and of the steps before its begin. */
struct use {
    uint32_t stamp; /* the query that it belongs to */
    uint8_t own, past;
};

static struct use *uses; /* [OBJECTS] */
static uint32_t stamp;

void hd_tx_conflict_start(void)
{
    uses = hd_mem_map(0, OBJECTS * sizeof *uses, PROT_READ | PROT_WRITE);
    HD_INVARIANT(uses != NULL, "no memory for transactions");
}

static struct use *use_of(uint32_t obj)
{
    HD_INVARIANT(obj < OBJECTS, "an object's id is too large");
    if (uses[obj].stamp != stamp)
        uses[obj] = (struct use){ .stamp = stamp };
    return &uses[obj];
}

static bool conflicts(unsigned classes, unsigned access)
{
    unsigned others = classes & ~(1u << access);

    return others != 0 || (access == HD_ACC_W && classes != 0);
}

static bool is_considered(uint32_t i, enum hd_tx_when when, uint32_t before)
{
    const struct hd_event *e = &hd.exec->events[i];
    bool access = e->kind == HD_EV_TX_READ || e->kind == HD_EV_TX_WRITE;

    return when == 0 || (access ? (e->aux & when) != 0 : i < before);
}

static void note_own(uint32_t first, enum hd_tx_when when, uint32_t before)
{
    struct hd_access_of on[2];

    for (uint32_t i = first; i < hd.exec->nevents; i++) {
        const struct hd_event *e = &hd.exec->events[i];

        for (unsigned k = is_considered(i, when, before) ? hd_event_accesses(e, on) : 0; k > 0; k--)
            use_of(on[k - 1].obj)->own |= (uint8_t)(1u << on[k - 1].access);
    }
}

/* The events of one step lie together, and the first one is what was scheduled.  Returns its index, if i is its last
 * one. */
static uint32_t first_of_step(uint32_t i)
{
    const struct hd_event *events = hd.exec->events;
    unsigned open = 0;

    for (;; i--) {
        unsigned kind = events[i].kind;

        open += hd_kind_ends_section(kind);
        open -= open > 0 && hd_kind_begins_section(kind);
        bool joins = open > 0 || kind == HD_EV_TOUCH || kind == HD_EV_TX_READ || kind == HD_EV_TX_WRITE ||
                     (hd_kind_traits[kind] & HD_TRAIT_LOCAL);

        if (!joins || i == 0 || events[i - 1].tid != events[i].tid)
            return i;
    }
}

struct query {
    struct hd_set past; /* threads of which a step is before the begin: so are all earlier ones */
    hd_tid tid;         /* of the transaction */
    struct hd_tx_cause cause;
};

static bool is_past(const struct query *q, const struct hd_event *e)
{
    struct hd_access_of on[2];

    if (hd_set_has(&q->past, e->tid))
        return true;
    if (e->kind == HD_EV_THREAD_CREATE && e->value < HD_MAX_THREADS && hd_set_has(&q->past, (unsigned)e->value))
        return true;
    for (unsigned k = hd_event_accesses(e, on); k > 0; k--)
        if (conflicts(use_of(on[k - 1].obj)->past, on[k - 1].access))
            return true;
    return false;
}

static void add_to_past(struct query *q, uint32_t from, uint32_t end)
{
    struct hd_access_of on[2];

    hd_set_add(&q->past, hd.exec->events[from].tid);
    for (uint32_t i = from; i < end; i++)
        for (unsigned k = hd_event_accesses(&hd.exec->events[i], on); k > 0; k--)
            use_of(on[k - 1].obj)->past |= (uint8_t)(1u << on[k - 1].access);
}

/* Returns the first event of the step that counts as a cause.  If the step is a transaction that was aborted by a choice
 * at its end, only what follows the choice does. */
static uint32_t first_real(uint32_t from, uint32_t end)
{
    for (uint32_t i = end; i > from; i--) {
        const struct hd_event *e = &hd.exec->events[i - 1];

        if (e->kind == HD_EV_TX_CONFLICT && e->value != 0)
            return i;
    }
    return from;
}

/* Returns whether one of the events of the step conflicts with the transaction. */
static bool is_cause(struct query *q, uint32_t from, uint32_t end)
{
    struct hd_access_of on[2];

    for (uint32_t i = first_real(from, end); i < end; i++)
        for (unsigned k = hd_event_accesses(&hd.exec->events[i], on); k > 0; k--)
            if (conflicts(use_of(on[k - 1].obj)->own, on[k - 1].access)) {
                q->cause = (struct hd_tx_cause){ i, on[k - 1].obj };
                return true;
            }
    return false;
}

static bool step_is_past(const struct query *q, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (is_past(q, &hd.exec->events[i]))
            return true;
    return false;
}

struct hd_tx_cause hd_tx_conflict_cause(uint32_t first, enum hd_tx_when when, uint32_t before)
{
    struct query q = { .tid = hd.exec->events[first].tid };

    stamp++;
    note_own(first, when, before);
    hd_set_add(&q.past, q.tid);
    for (uint32_t end = first; end > 0;) {
        uint32_t from = first_of_step(end - 1);

        if (step_is_past(&q, from, end))
            add_to_past(&q, from, end);
        else if (is_cause(&q, from, end))
            break;
        end = from;
    }
    return q.cause;
}
