/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_outcome.c - the choices about transactions of RTM. */
#include "runtime/watch/tx_outcome.h"

#include "base/hash.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/poll.h"
#include "runtime/watch/tx_conflict.h"
#include "wire/wire.h"

enum {
    MOST_ABORTS = 16,     /* T6 */
    XMM = 160, XMM_BYTES = 256, /* offset and size of the vector registers in what the stub has saved */
};

/* Statuses of spurious aborts and of conflicts.  All are tried with --tm-aborts all, otherwise only the first of
 * each. */
static const uint32_t spurious[] = { HD_TX_RETRY, 0 };
static const uint32_t conflicts[] = { HD_TX_CONFLICT | HD_TX_RETRY, HD_TX_CONFLICT };
enum { CODES = 2 };

/* The thread whose transaction was aborted last by a choice (T2 or T8). */
static hd_tid aborted_thread;

/* The last choice of each thread (T6). */
static struct choice {
    uint64_t pc; /* 0: no choice since its last transaction that was not aborted */
    uint64_t state, vectors, stores, progress, opaque;
    uint32_t nevents; /* number of events of the execution just after the choice */
    unsigned aborts; /* number of consecutive aborts */
} last_choice[HD_MAX_THREADS];

void hd_tx_outcome_begin(void)
{
    for (unsigned i = 0; i < HD_MAX_THREADS; i++)
        last_choice[i].pc = 0;
    aborted_thread = HD_NO_TID;
    hd_tx_conflict_begin();
}

void hd_tx_outcome_committed(hd_tid tid)
{
    last_choice[tid].pc = 0;
}

void hd_tx_outcome_aborted(hd_tid tid)
{
    last_choice[tid].nevents = hd.exec->nevents;
}

bool hd_tx_tries_conflicts(void)
{
    return hd_tm_is_software(hd.cfg->tm) || hd.cfg->tm_aborts;
}

/* ---- at the begin --------------------------------------------------------------------------------- */

uint64_t hd_tx_registers(const struct hd_tx_frame *f)
{
    uint64_t h = hd_hash_mix(hd_hash_mix(hd_hash_mix(0, f->rax), f->rcx), f->rdx);

    h = hd_hash_mix(hd_hash_mix(hd_hash_mix(h, f->rsi), f->rdi), f->r8);
    return hd_hash_mix(hd_hash_mix(hd_hash_mix(h, f->r9), f->r10), f->r11);
}

/* True if the thread has done nothing but begin transactions since its last choice. */
static bool is_quiet(const struct choice *c)
{
    return hd.fuel == HD_FUEL && hd.exec->nevents == c->nevents;
}

static uint64_t vectors(uintptr_t lowest)
{
    return hd_hash_words(0, (const void *)(lowest + XMM), XMM_BYTES / 8);
}

/* Returns a hash of the state that determines what the thread does next; 0: unknown. */
static uint64_t state_of(const struct hd_thread *t, uint64_t pc, uint64_t regs)
{
    struct hd_visit v = { .pc = pc };

    if (!hd_poll_entry(t, &v))
        return 0;
    return hd_hash_words(v.regs ^ regs, (const void *)v.sp, (t->stack_hi - v.sp) / 8) | 1;
}

/* True if the thread would make the same choice again.  The vector registers are compared only if the thread has not
 * called the runtime since the last choice: a call changes them, and the compiler keeps values that are needed after
 * a call in memory. */
static bool is_again(const struct choice *c, const struct choice *now)
{
    return c->pc == now->pc && now->state != 0 && c->state == now->state && c->stores == now->stores &&
           c->progress == now->progress && c->opaque == now->opaque &&
           (c->vectors == now->vectors || !is_quiet(c));
}

static uint32_t codes(void)
{
    return hd.cfg->tm_aborts ? CODES : 1;
}

/* The choice itself is not progress of the thread: only its later operations can be. */
static uint32_t choose(struct hd_thread *t, uint64_t pc)
{
    uint64_t progress = t->progress;
    uint32_t got = hd_choose_as(HD_EV_TX_OUTCOME, codes() + 1, 0, 0, pc);

    t->progress = progress;
    if (!hd.cfg->tm_aborts)
        hd_untried(HD_UNTRIED_TX_STATUS);
    return got;
}

/* T2: returns 0 if the transaction is not aborted here, otherwise 1 + an index into `spurious`.  A reduction must
 * find the choice in every order of independent steps (watch/fault.c).  So for a reduction the choice is made even
 * where T6 makes it unnecessary, and an execution that then takes the abort is cut. */
static uint32_t choose_abort(struct hd_thread *t, uint64_t pc, uint64_t regs, uintptr_t lowest)
{
    struct choice *c = &last_choice[t->tid];
    struct choice now = { .pc = pc, .state = state_of(t, pc, regs), .vectors = vectors(lowest),
                          .stores = hd.stores, .progress = t->progress, .opaque = t->loop.opaque,
                          .aborts = c->pc == pc ? c->aborts : 0 };
    bool again = is_again(c, &now);
    uint32_t got = 0;

    if (hd_tm_is_software(hd.cfg->tm)) {
        hd_untried(HD_UNTRIED_TX_SPURIOUS);
        return 0;
    }
    if (now.aborts == MOST_ABORTS) {
        hd_loop_cut(pc, MOST_ABORTS);
        return 0;
    }
    if (!again || hd.cfg->fault_past_bound)
        got = choose(t, pc);
    if (again && got != 0)
        hd_execution_over(HD_END_CUT);
    now.nevents = hd.exec->nevents;
    now.aborts += got != 0;
    *c = now;
    return got;
}

bool hd_tx_outcome_at_begin(struct hd_thread *t, uint64_t pc, uint64_t registers, uintptr_t lowest, uint32_t *status)
{
    if (hd_tx_tries_conflicts() && aborted_thread != HD_NO_TID && aborted_thread != t->tid)
        hd_untried(HD_UNTRIED_TX_ABORTED);
    uint32_t code = choose_abort(t, pc, registers, lowest);

    if (code == 0)
        return false;
    aborted_thread = t->tid;
    *status = spurious[code - 1];
    return true;
}

/* ---- at the end ----------------------------------------------------------------------------------- */

/* The aborts among which the search chooses at the end. */
struct abort {
    uint32_t status;
    enum hd_tx_when when; /* restricts the causes of a conflict: see hd_tx_conflict_cause */
    uint32_t before;
};

struct aborts {
    struct abort of[4 * CODES];
    uint32_t n;
};

/* Adds an abort for each of the statuses, together with the given bits. */
static void add_statuses(struct aborts *a, const uint32_t *statuses, uint32_t bits, enum hd_tx_when when, uint32_t before)
{
    for (uint32_t i = 0; i < codes(); i++)
        a->of[a->n++] = (struct abort){ statuses[i] | bits, when, before };
}

/* Adds aborts by conflicts with the given accesses, if such a conflict has a cause. */
static void add_conflicts(struct aborts *a, uint32_t event, uint32_t bits, enum hd_tx_when when, uint32_t before)
{
    if (hd_tx_conflict_cause(event, when, before).obj == 0)
        return;
    if (codes() < CODES)
        hd_untried(HD_UNTRIED_TX_NO_RETRY); /* --tm stm */
    add_statuses(a, conflicts, bits, when, before);
}

static void find_aborts(struct aborts *a, uint32_t event, const struct hd_tx_nesting *nesting)
{
    if (nesting->open) /* the nested transaction did not end */
        add_conflicts(a, event, 0, HD_TX_BEFORE_BEGIN, nesting->begin);
    else
        add_conflicts(a, event, 0, 0, 0);
    if (nesting->any)
        add_conflicts(a, event, HD_TX_NESTED, HD_TX_BEFORE_END, nesting->end);
    if (nesting->any && hd.cfg->tm == HD_TM_HTM)
        add_statuses(a, spurious, HD_TX_NESTED, 0, 0);
}

bool hd_tx_outcome_at_end(uint32_t event, uint64_t pc, const struct hd_tx_nesting *nesting, uint32_t *status)
{
    struct aborts a = { .n = 0 };
    uint32_t choice = hd.exec->nevents, got;

    find_aborts(&a, event, nesting);
    if (nesting->any)
        hd_untried(HD_UNTRIED_TX_NESTED);
    /* No object: which of several causes is the latest differs between equivalent executions. */
    got = hd_choose_as(HD_EV_TX_CONFLICT, a.n + 1, 0, 0, pc);
    if (got == 0)
        return false;
    const struct abort *chosen = &a.of[got - 1];

    if (chosen->status & HD_TX_CONFLICT && !hd_tx_conflict_possible(event, choice, chosen->when, chosen->before))
        hd_execution_over(HD_END_CUT);
    *status = chosen->status;
    aborted_thread = hd.cur->tid;
    return true;
}
