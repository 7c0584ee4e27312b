/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_conflict.c - see tx_conflict.h.  Goes back through the events of the execution and collects the steps that
 * happen before the begin of the transaction.  The other steps are causes if they conflict with it. */
#include "runtime/watch/tx_conflict.h"

#include <stddef.h>

#include "base/check.h"
#include "base/set.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "search/core/step.h"

enum { OBJECTS = 1 << 20, ABORTED = 256 };

/* Accesses to an object, as one bit per access class. own: by the transaction; past: by the steps that happen before
 * its begin. */
struct use {
    uint32_t stamp; /* number of the query for which the entry is valid */
    uint8_t own, past;
};

static struct use *uses; /* [OBJECTS] */
static uint32_t stamp;

/* The transactions of this execution that were aborted by a conflict (C3).  Events are given by their number + 1, 0: none. */
struct aborted {
    uint32_t choice;                 /* the event of the choice that aborted it */
    uint32_t past[HD_MAX_THREADS];   /* for each thread: its last event that happens before the begin */
    uint32_t causes[HD_MAX_THREADS]; /* for each thread: its last event that may have aborted the transaction */
    bool explained;
};

static struct aborted *aborted; /* [ABORTED] */
static uint32_t naborted;

void hd_tx_conflict_start(void)
{
    uses = hd_mem_map(0, OBJECTS * sizeof *uses, PROT_READ | PROT_WRITE);
    aborted = hd_mem_map(0, HD_PAGE_CEIL(ABORTED * sizeof *aborted), PROT_READ | PROT_WRITE);
    HD_INVARIANT(uses != NULL && aborted != NULL, "no memory for transactions");
}

void hd_tx_conflict_begin(void)
{
    naborted = 0;
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

/* The events of one step are adjacent, and the first one is the scheduled operation.  If i is the last event of a
 * step, returns the index of the first. */
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
    struct hd_set past; /* threads of which a step that was already visited happens before the begin; all their
                         * earlier steps do so too */
    struct hd_tx_cause cause; /* the cause that was found last */
    struct aborted *all;      /* collects all causes; NULL: only the latest one is needed */
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

    hd_tid tid = hd.exec->events[from].tid;

    hd_set_add(&q->past, tid);
    if (q->all != NULL && q->all->past[tid] == 0)
        q->all->past[tid] = end;
    for (uint32_t i = from; i < end; i++)
        for (unsigned k = hd_event_accesses(&hd.exec->events[i], on); k > 0; k--)
            use_of(on[k - 1].obj)->past |= (uint8_t)(1u << on[k - 1].access);
}

/* Returns the first event of the step that can be a cause.  If the step is a transaction that was aborted by a
 * choice at its end, only the events after the choice can be. */
static uint32_t first_real(uint32_t from, uint32_t end)
{
    for (uint32_t i = end; i > from; i--) {
        const struct hd_event *e = &hd.exec->events[i - 1];

        if (e->kind == HD_EV_TX_CONFLICT && e->value != 0)
            return i;
    }
    return from;
}

/* True if an event of the step conflicts with the transaction. */
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

/* Looks for causes, from the last step to the first. */
static void look(struct query *q, uint32_t first, enum hd_tx_when when, uint32_t before)
{
    stamp++;
    note_own(first, when, before);
    hd_set_add(&q->past, hd.exec->events[first].tid);
    for (uint32_t end = first; end > 0;) {
        uint32_t from = first_of_step(end - 1);
        hd_tid tid = hd.exec->events[from].tid;

        if (step_is_past(q, from, end))
            add_to_past(q, from, end);
        else if (is_cause(q, from, end)) {
            if (q->all == NULL)
                break;
            if (q->all->causes[tid] == 0)
                q->all->causes[tid] = q->cause.event + 1;
        }
        end = from;
    }
}

struct hd_tx_cause hd_tx_conflict_cause(uint32_t first, enum hd_tx_when when, uint32_t before)
{
    struct query q = { .all = NULL };

    look(&q, first, when, before);
    return q.cause;
}

/* ---- several aborted transactions (C3) ------------------------------------------------------------- */

/* True if the event happens before the begin of an aborted transaction whose cause is not chosen yet. */
static bool must_be_earlier(uint32_t event)
{
    hd_tid tid = hd.exec->events[event - 1].tid;

    for (uint32_t i = 0; i < naborted; i++)
        if (!aborted[i].explained && aborted[i].past[tid] >= event)
            return true;
    return false;
}

/* Chooses a cause that can come after the begins of all aborted transactions whose causes are not chosen yet. */
static bool explain(struct aborted *a)
{
    uint32_t best = 0;

    for (uint32_t t = 0; t < hd.exec->nthreads; t++)
        if (a->causes[t] > best && !must_be_earlier(a->causes[t]))
            best = a->causes[t];
    if (best == 0)
        return false;
    hd.exec->events[a->choice].obj2 = a->choice + 1 - best;
    a->explained = true;
    return true;
}

/* Builds an order of the steps, from the last to the first.  The begin of an aborted transaction can be placed as
 * soon as one of its causes is placed.  Placing it at once does no harm. */
static bool all_explained(void)
{
    uint32_t left = naborted;

    for (uint32_t i = 0; i < naborted; i++)
        aborted[i].explained = false;
    for (bool found = true; found && left > 0;) {
        found = false;
        for (uint32_t i = 0; i < naborted; i++)
            if (!aborted[i].explained && explain(&aborted[i])) {
                found = true;
                left--;
            }
    }
    return left == 0;
}

bool hd_tx_conflict_possible(uint32_t first, uint32_t choice, enum hd_tx_when when, uint32_t before)
{
    struct query q = { .all = &aborted[naborted] };

    if (naborted == ABORTED) {
        hd_uncontrolled("more than 256 conflicts of transactions in one execution: their causes are not compared");
        return true;
    }
    *q.all = (struct aborted){ .choice = choice };
    naborted++;
    look(&q, first, when, before);
    return all_explained();
}
