/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late_start.c - see late_start.h. */
#include "runtime/worker/late_start.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "runtime/hooks/dispatch.h"
#include "runtime/kernel/loopback.h"
#include "runtime/progress/limit.h"
#include "runtime/progress/prologue.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/kernel_state.h"
#include "runtime/restore/open_objects.h"
#include "runtime/restore/process.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/worker/worker.h"
#include "runtime/worker/zygote.h"
#include "wire/wire.h"

enum { STACK = 256 * 1024, SPOILT = 3 };

/* The state that a fork inherits at heddle_start(), besides its memory. */
static struct {
    struct hd_execution head;
    struct hd_event *events;
    uint64_t *await_keys;
    uint64_t objects;
    uint64_t knowledge;
    long output;
} held;
static struct hd_kernel_state holders, forks;

/* Returns a hash of what the search has learnt and would apply to a prologue. */
static uint64_t knowledge(void)
{
    const struct hd_common *c = hd.wire->common;
    uint64_t h = hd_hash_mix(hd.wire->restarts, hd_campaign_totals(&hd.wire->campaign)->restarts);
    uint32_t waits = 0;

    while (waits < HD_MAX_WAITS && c->waits[waits].name != 0)
        waits++;
    h = hd_hash_mix(h, c->pass_wanted ^ c->waits_wanted << 32);
    return hd_hash_mix(hd_hash_mix(h, waits), (uint64_t)c->ends_since << 32 | hd_common_sites(c));
}

/* Checks the conditions of Q3, except for the kernel's state.  Returns NULL, or the reason why the worker cannot become
 * a holder. */
static const char *noise(void)
{
    const struct hd_execution *x = hd.exec;

    if (hd.cfg->points != HD_POINTS_SYNC)
        return "plain accesses are scheduling points (--points)";
    if (x->findings != 0 || hd.wire->nraced != 0 || hd.failed)
        return "something is found there";
    if (x->choices != 0 || hd.search.mail)
        return "it has choices there";
    if (hd_undo_is_needed() || hd_undo_is_pending())
        return "it changes files there";
    if (hd.wire->children != 0)
        return "it starts processes";
    if (x->assumed != 0 || x->grace_cuts != 0 || x->only_waits != 0 ||
        hd.exit_begun || hd.eager || hd.cut)
        return "threads are cut off there";
    return hd_open_objects_shares_memory() ? "it shares memory with other processes" : NULL;
}

static void *copy_of(const void *from, size_t bytes)
{
    void *to = hd_mem_map(0, bytes + HD_PAGE, PROT_READ | PROT_WRITE);

    if (to != NULL)
        hd_mem_copy(to, from, bytes);
    return to;
}

/* Makes the verdict say why each execution runs the prologue. */
static void give_up(const char *why)
{
    char text[HD_LEDGER_TEXT];

    hd_format(text, sizeof text, "each execution has run what comes before heddle_start() again: %s", why);
    hd_mentioned(text);
}

static bool hold(void)
{
    const struct hd_execution *x = hd.exec;
    const char *obstacle = noise();

    if (obstacle == NULL)
        obstacle = hd_open_objects_take(&held.objects);
    if (obstacle != NULL) {
        give_up(obstacle);
        return false;
    }
    hd_mem_copy(&held.head, x, sizeof held.head);
    held.events = copy_of(x->events, x->nevents * sizeof *x->events);
    held.await_keys = copy_of(x->await_keys, x->nevents * sizeof *x->await_keys);
    held.output = hd_output_size();
    held.knowledge = knowledge();
    return held.events != NULL && held.await_keys != NULL;
}

/* ---- a fork --------------------------------------------------------------------------- */

static void become_worker(int holder, bool first)
{
    char what[HD_KERNEL_NAME];

    hd_sys6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    hd_sys(SYS_setpgid, 0, 0, 0);
    if (hd_sys(SYS_getppid, 0, 0, 0) != holder)
        hd_leave_process(HD_WORKER_DONE);
    if (first) {
        hd_kernel_state_take(&forks);
        if (!hd_kernel_state_same(&holders, &forks, what, sizeof what)) {
            hd.wire->starts_again = SPOILT;
            give_up(what);
            hd_execution_begin_again();
        }
    }
    hd_dispatch_begin();
    hd_limit_begin();
}

/* Forks, and returns true in the fork.  In the holder returns false when the fork has ended. */
static bool run_fork(bool first, int *status)
{
    struct hd_wire *w = hd.wire;
    int holder = (int)hd_sys(SYS_getpid, 0, 0, 0);
    long rc;

    hd_output_cut(held.output);
    w->worker_done = w->rests = w->watchdog_kill = 0;
    /* no signal at its end, because the holder's target must not notice it */
    long pid = hd_sys6(SYS_clone, 0, 0, 0, 0, 0, 0);

    HD_INVARIANT(pid >= 0, "cannot fork");
    if (pid == 0) {
        become_worker(holder, first);
        return true;
    }
    w->worker_pid = (int32_t)pid;
    do
        rc = hd_sys6(SYS_waitid, P_PID, pid, 0, WEXITED | WNOWAIT | __WALL, 0, 0);
    while (rc == -EINTR);
    w->worker_pid = holder;
    hd_sys(SYS_kill, -pid, SIGKILL, 0); /* kills its remaining children: the process group still exists */
    do
        rc = hd_sys6(SYS_wait4, pid, (long)status, __WALL, 0, 0, 0);
    while (rc == -EINTR);
    return false;
}

/* ---- the holder ------------------------------------------------------------------------- */

static _Noreturn void leave(void)
{
    hd.wire->worker_done = 1;
    hd_leave_process(HD_WORKER_NEXT);
}

/* Q4: ends the holder if its fork, which has ended, was the last one. */
static void look_at_end(int status, bool first)
{
    struct hd_wire *w = hd.wire;
    uint64_t objects;

    if (!WIFEXITED(status) || WEXITSTATUS(status) != HD_WORKER_NEXT || !w->worker_done) {
        w->late_status = status;
        hd_leave_process(HD_WORKER_LATE);
    }
    hd_process_rewind();
    hd_process_rename_host();
    hd_open_objects_settle();
    bool same = !hd_undo_is_pending() && w->children == 0 && hd_open_objects_take(&objects) == NULL &&
                objects == held.objects;

    if (!same && first && ++w->starts_again == SPOILT)
        give_up("what it leaves in files, pipes or sockets");
    if (!same || w->starts_again >= SPOILT)
        leave();
    hd_turn_end();
    hd_zygote_recover_share();
}

/* Begins the next execution and advances it to heddle_start() (Q2). */
static void begin_next(void)
{
    struct hd_execution *x = hd.exec;

    if (!hd_worker_begin_next() || knowledge() != held.knowledge)
        leave();
    if (!hd_turn_begin())
        hd_execution_begin_again();
    uint64_t index = x->index;

    hd_mem_copy(x, &held.head, sizeof *x);
    x->index = index;
    x->nsteps = 0;
    x->fixed = UINT32_MAX;
    hd_mem_copy(x->events, held.events, held.head.nevents * sizeof *x->events);
    hd_mem_copy(x->await_keys, held.await_keys, held.head.nevents * sizeof *x->await_keys);
    if (x->waits > 0 && hd.cfg->traits.tries_first)
        hd_search_sees_waits(&hd.search);
    if (!hd_prologue_repeat())
        leave();
    HD_INVARIANT(x->nsteps == held.head.nsteps, "Q2: the search knows all decisions of the prologue");
    x->nevents = held.head.nevents;
    x->preemptions = held.head.preemptions;
    x->fixed = held.head.fixed;
    hd.wire->nraced = 0;
    hd.wire->attempts++;
}

/* Runs the holder.  Returns only in forks. */
static void serve(void *unused)
{
    int status = 0;

    (void)unused;
    hd.wire->started++;
    if (hd.wire->starts_again >= SPOILT || !hold())
        return;
    hd_loopback_keep_names();
    hd_kernel_state_take(&holders);
    for (bool first = true; !run_fork(first, &status); first = false) {
        look_at_end(status, first);
        begin_next();
    }
}

/* The holder runs on a separate stack, so that the target finds no traces of it on the fiber's stack. */
void hd_late_start(void)
{
    if (!hd_prologue_is_kept()) /* true also if the execution began without fork isolation */
        return;
    char *stack = hd_mem_map_stack(STACK);

    HD_INVARIANT(stack != NULL, "no memory for a stack");
    hd_call_on(stack + STACK - 64, serve, NULL);
}
