/* SPDX-License-Identifier: BSD-2-Clause
 *
 * execution.c - the end of the running execution. */
#include "runtime/core/execution.h"

#include <sys/syscall.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

static bool tainted;

void hd_leave_process(int code)
{
    for (;;)
        hd_sys(SYS_exit_group, code, 0, 0);
}

void hd_execution_begin_again(void)
{
    hd.wire->worker_done = 1;
    hd_leave_process(HD_WORKER_NEXT);
}

void hd_execution_taint(void)
{
    tainted = true;
}

bool hd_execution_is_tainted(void)
{
    return tainted;
}

void hd_execution_over(enum hd_ending ending)
{
    hd.exec->ending = ending;
    /* Do not flush after a crash: stdio may be damaged, or locked for ever.  The output of a cut execution is not
     * used, and a thread may be in the middle of writing it. */
    if (ending != HD_END_CUT && ending != HD_END_AGAIN && (!hd.failed || !tainted))
        hd_output_flush();
    hd_fiber_go_home();
    HD_INVARIANT(false, "a finished execution went on");
    __builtin_unreachable();
}

void hd_execution_cut(const char *why)
{
    hd_uncontrolled(why);
    hd_execution_over(HD_END_TOO_LONG);
}

uint64_t hd_execution_index(const struct hd_totals *t)
{
    return hd.cfg->by_index ? hd.cfg->first_index + t->begun * hd.cfg->nworkers + hd.cfg->worker
                            : t->begun;
}
