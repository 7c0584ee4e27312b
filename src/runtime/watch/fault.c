/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.c - injected faults as choices of the search.  The number in an execution is limited by the budget of each
 * fault; faults without a budget share --fault-bound.
 *
 * Whether the bound allows one more fault depends on the faults in all threads.  Partial-order reduction treats a
 * choice as local, so its existence must not depend on the order of independent steps.  For a reduction
 * (fault_past_bound), the choice is therefore offered unless the bound was used up by events that precede it in
 * every order: in the same thread, or before the thread was created.  An execution that takes one fault too many
 * is cut.  That loses nothing, because the other alternative continues.  Other searches are offered only what the
 * bound allows. */
#include "runtime/watch/fault.h"

#include "runtime/core/execution.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

static uint32_t nfaults;                 /* number of faults injected so far in this execution */
static uint64_t of_fault[HD_FAULTS + 1]; /* for each kind of fault: the set of injected faults; the last entry is for
                                          * all kinds that share --fault-bound */

void hd_fault_begin(void)
{
    nfaults = 0;
    for (unsigned i = 0; i <= HD_FAULTS; i++)
        of_fault[i] = 0;
}

static uint32_t count(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set);
}

/* Returns the odds of a fault: even for one that is decided once for the whole execution. */
static uint32_t odds(enum hd_fault f)
{
    return f & (HD_FAULT_CRASH | HD_FAULT_PARTITION | HD_FAULT_TIMER) ? 2 : hd.cfg->fault_odds;
}

bool hd_fault_choose(enum hd_fault f, enum hd_kind kind, uint32_t obj, uint32_t what, uint64_t pc)
{
    const struct hd_config *c = hd.cfg;
    struct hd_thread *t = hd.cur;
    unsigned i = (unsigned)__builtin_ctz(f);
    uint32_t budget = hd_fault_budget(&c->settings, i);
    uint64_t *injected = &of_fault[budget != 0 ? i : HD_FAULTS];

    if (t->in_section && t->watch.sections == 0)
        return false; /* no faults while checks of heddle_at_end run */
    if (budget == 0)
        budget = c->fault_bound;
    if (count(t->watch.faults & *injected) >= budget || (count(*injected) >= budget && !c->fault_past_bound))
        return false;
    if (f & (HD_FAULT_DROP | HD_FAULT_DUPLICATE | HD_FAULT_DELAY))
        hd_search_asks_fault(&hd.search, (uint32_t)(injected - of_fault), budget);
    if (hd_choose_as(kind, odds(f), obj, what, pc) != HD_FAULT_TAKEN)
        return false;
    if (count(*injected) >= budget)
        hd_execution_over(HD_END_CUT);
    if (nfaults == 64)
        hd_execution_cut("more than 64 faults in one execution: cut there");
    *injected |= UINT64_C(1) << nfaults;
    t->watch.faults |= UINT64_C(1) << nfaults++;
    return true;
}

int hd_fault_of_mail(unsigned number, uint64_t pc)
{
    enum hd_fault f = (enum hd_fault)(HD_FAULT_CRASH << number);

    if (number > HD_EV_FAULT_TIMER - HD_EV_FAULT_CRASH || !(hd.cfg->faults & f))
        return -1;
    return hd_fault_choose(f, (enum hd_kind)(HD_EV_FAULT_CRASH + number), 0, 0, pc);
}

/* True for instrumented code and the program itself. libc's own allocations do not fail. */
static bool is_of_program(uint64_t pc)
{
    const struct hd_module *program = &hd.wire->modules[0];

    return pc - program->lo < program->hi - program->lo || hd_program_is_instrumented(pc);
}

bool hd_fault_alloc_slow(enum hd_alloc_call call, uint64_t pc)
{
    return is_of_program(pc) && hd_fault_choose(HD_FAULT_MALLOC, HD_EV_FAULT_MALLOC, 0, call, pc);
}
