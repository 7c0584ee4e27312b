/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.c - injected faults as choices of the search, at most --fault-bound in an execution.
 *
 * Whether the bound allows one more fault depends on the faults in all threads.  Partial-order
 * reduction treats a choice as local, so its existence must not depend on the order of independent
 * steps.  For a reduction (fault_past_bound), the choice is therefore offered unless the bound was
 * used up by events that precede it in every order: in the same thread, or before the thread was
 * created.  An execution that takes one fault too many is cut; nothing else is lost, since the
 * other alternative continues.  Other searches are offered only what the bound allows. */
#include "runtime/watch/fault.h"

#include "runtime/core/execution.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

static uint32_t nfaults; /* injected so far in this execution */

void hd_fault_begin(void)
{
    nfaults = 0;
}

static uint32_t known_before(const struct hd_thread *t)
{
    return (uint32_t)__builtin_popcountll(t->watch.faults);
}

bool hd_fault_choose(enum hd_kind kind, uint32_t obj, uint32_t what, uint64_t pc)
{
    const struct hd_config *c = hd.cfg;
    struct hd_thread *t = hd.cur;

    if (t->in_section && t->watch.sections == 0)
        return false; /* heddle_at_end: no faults in the checks */
    if (known_before(t) >= c->fault_bound || (nfaults >= c->fault_bound && !c->fault_past_bound))
        return false;
    if (hd_choose_as(kind, c->fault_odds, obj, what, pc) != HD_FAULT_TAKEN)
        return false;
    if (nfaults >= c->fault_bound)
        hd_execution_over(HD_END_CUT);
    t->watch.faults |= UINT64_C(1) << nfaults++;
    return true;
}

/* True for instrumented code and the program itself. libc's own allocations do not fail. */
static bool is_of_program(uint64_t pc)
{
    const struct hd_module *program = &hd.wire->modules[0];

    return pc - program->lo < program->hi - program->lo || hd_program_is_instrumented(pc);
}

bool hd_fault_alloc_slow(enum hd_alloc_call call, uint64_t pc)
{
    return is_of_program(pc) && hd_fault_choose(HD_EV_FAULT_MALLOC, 0, call, pc);
}
