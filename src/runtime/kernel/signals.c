/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.c - see signals.h. */

#include "runtime/kernel/signals.h"

#include <errno.h>
#include <ucontext.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/acting.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/execution.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/kernel/outside_signals.h"
#include "runtime/kernel/pending_signals.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signal_handler.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

enum { MAX_PUT_OFF = 64 };

/* ---- state --------------------------------------------------------------------------------- */

/* State of a thread, by tid, that most programs do not need. */
static struct side {
    uint32_t epoch;
    bool is_deferred;  /* its pending operation is now to take a signal (S2) */
    bool put_off;      /* it executes its deferred operation first (S3) */
    bool was_blocked;  /* it was blocked when a signal was sent to it */
    bool interrupted;
    bool repeats;      /* the action of the handler that ended the wait has SA_RESTART */
    uint8_t nput_off;  /* number of deferred operations that it executed since it last took a signal */
    uint32_t handled;
    uint32_t before;   /* number of handlers that had run when the current wait began */
    uint64_t awaits;
    struct hd_saved_op deferred;
    stack_t stack;
} sides[HD_MAX_THREADS];

static struct side *side_of(const struct hd_thread *t)
{
    struct side *s = &sides[t->tid];

    if (s->epoch != hd.epoch)
        *s = (struct side){ .epoch = hd.epoch, .stack.ss_flags = SS_DISABLE };
    return s;
}

/* ---- which thread takes a signal ------------------------------------------------------------------- */

static uint64_t takes(const struct hd_thread *t)
{
    uint64_t open = hd_signal_pending(t) & ~t->signals.mask, caught = 0;

    for (uint64_t w = open; w != 0; w &= w - 1)
        if (hd_signal_is_caught(__builtin_ctzll(w) + 1))
            caught |= w & -w;
    return caught;
}

static bool is_live(const struct hd_thread *t)
{
    return t->state == HD_TH_LIVE;
}

static bool has_open(const struct hd_thread *t, int number)
{
    return is_live(t) && (t->signals.mask & hd_signal_bit(number)) == 0;
}

/* True if some thread other than `except` (may be NULL) does not block the signal.  With `or_awaits`,
 * a thread that waits for it counts too. */
static bool somebody_has_open(int number, const struct hd_thread *except, bool or_awaits)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        const struct hd_thread *t = &hd.thread[i];

        if (t != except && (has_open(t, number) ||
                            (or_awaits && is_live(t) && (side_of(t)->awaits & hd_signal_bit(number)) != 0)))
            return true;
    }
    return false;
}

/* True if t waits for its turn with an operation that can be deferred (S2). */
static bool can_save_pending(const struct hd_thread *t)
{
    unsigned kind = hd.exec->pending[t->tid].kind;

    return is_live(t) && t != hd.cur && !t->in_section && !hd.exit_begun && kind != HD_EV_NONE && kind != HD_EV_THREAD_START &&
           kind != HD_EV_EXIT_END && kind != HD_EV_TIMER_EXPIRE;
}

static void defer(struct hd_thread *t, struct side *s)
{
    hd_gate_save_pending(t, &s->deferred, hd_shared_place(HD_STATE_SIGNALS));
    s->is_deferred = true;
}

static void take_up(struct hd_thread *t, struct side *s)
{
    s->is_deferred = false;
    hd_gate_restore_pending(t, &s->deferred);
}

/* Applies S2 to all other threads, after pending signals, masks or actions have changed. */
static void refresh(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];
        struct side *s = side_of(t);

        if (s->is_deferred && takes(t) == 0)
            take_up(t, s);
        else if (!s->is_deferred && can_save_pending(t) && takes(t) != 0) {
            s->was_blocked = !hd_set_has(&hd.point.enabled, t->tid);
            if (!s->put_off || s->was_blocked)
                defer(t, s);
        }
    }
}

void hd_signal_came(void)
{
    hd.signals = 1;
    refresh();
}

/* ---- handlers --------------------------------------------------------------------------------- */

/* Runs the handler in t.  Returns true if its action restarts waits. */
static bool run_handler(struct hd_thread *t, const siginfo_t *info, uint64_t pc)
{
    struct side *s = side_of(t);
    bool restarts = hd_signal_run_handler(t, info, &s->stack, pc);

    s->handled++;
    return restarts;
}

static void learn(uint64_t pc)
{
    hd_note_channel(hd_shared_place(HD_STATE_SIGNALS), HD_FLOW_LEARNS, pc);
}

/* Takes a signal of the set outside of an operation.  Returns false if there is none. */
static bool take_now(struct hd_thread *t, uint64_t set, uint64_t pc)
{
    siginfo_t info;

    if (hd_signal_take_pending(t, takes(t) & set, &info) == 0)
        return false;
    refresh();
    learn(pc);
    run_handler(t, &info, pc);
    refresh();
    return true;
}

/* ---- S6 ----------------------------------------------------------------------------------------- */

static const char *name_of(int number)
{
    static const char *const names[] = {
        [SIGHUP] = "SIGHUP", [SIGINT] = "SIGINT", [SIGQUIT] = "SIGQUIT", [SIGKILL] = "SIGKILL",
        [SIGUSR1] = "SIGUSR1", [SIGUSR2] = "SIGUSR2", [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",
        [SIGTERM] = "SIGTERM", [SIGSTKFLT] = "SIGSTKFLT", [SIGXFSZ] = "SIGXFSZ",
        [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF", [SIGIO] = "SIGIO", [SIGPWR] = "SIGPWR",
    };

    return number < (int)(sizeof names / sizeof *names) && names[number] != NULL ? names[number] : NULL;
}

static _Noreturn void die(const struct hd_thread *by, int number, uint64_t pc)
{
    const char *name = name_of(number);

    if (name != NULL)
        hd_fail(HD_FK_CRASH, pc, "the process is killed by %s, which T%u takes", name, by->tid);
    hd_fail(HD_FK_CRASH, pc, "the process is killed by signal %d, which T%u takes", number, by->tid);
}

/* Reports a finding (S6) if a signal that ends the process is pending and some thread does not block it. */
static void die_of_pending(uint64_t pc)
{
    hd_signal_begin();
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        const struct hd_thread *t = &hd.thread[i];
        uint64_t open = is_live(t) ? hd_signal_pending(t) & ~t->signals.mask : 0;

        for (; open != 0; open &= open - 1)
            if (hd_signal_is_deadly(__builtin_ctzll(open) + 1))
                die(t, __builtin_ctzll(open) + 1, pc);
    }
}

bool hd_signal_would_kill(const struct hd_thread *to, int number)
{
    return hd_signal_is_deadly(number) &&
           (to != NULL ? has_open(to, number) : somebody_has_open(number, NULL, false));
}

/* ---- sending ------------------------------------------------------------------------------------ */

/* True if the signal has no effect: it would stop the process, or it is ignored and not blocked.  For a signal to
 * the process the mask of the main thread counts, as in the kernel. */
static bool is_discarded(const struct hd_thread *to, int number)
{
    const struct hd_thread *asked = to != NULL ? to : &hd.thread[0];

    if (hd_signal_is_stop(number) && hd_signal_action(number).sa_handler == SIG_DFL) {
        hd_uncontrolled("a signal that would stop the process: the process continues at once");
        return true;
    }
    return hd_signal_is_ignored(number) && (asked->signals.mask & hd_signal_bit(number)) == 0;
}

void hd_signal_send(struct hd_thread *to, const siginfo_t *info)
{
    hd_signal_begin();
    if (!is_discarded(to, info->si_signo))
        hd_signal_queue(to != NULL ? to->tid : HD_NO_TID, info);
}

/* Taking the signal is not an operation, because no other thread sees it. */
bool hd_signal_take_own(const siginfo_t *info, uint64_t pc)
{
    struct hd_thread *t = hd.cur;
    int number = info->si_signo;

    hd_signal_begin();
    if (!has_open(t, number))
        return false;
    if (is_discarded(t, number))
        return true;
    if (hd_signal_is_deadly(number))
        die(t, number, pc);
    run_handler(t, info, pc);
    while (hd.signals && take_now(t, ~UINT64_C(0), pc))
        ;
    return true;
}

void hd_signal_sent(const struct hd_thread *to, int number, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    hd_signal_came();
    die_of_pending(pc);
    if (to == t || (to == NULL && has_open(t, number) && !somebody_has_open(number, t, true)))
        while (take_now(t, hd_signal_bit(number), pc))
            ;
}

void hd_signal_take_raised(uint64_t pc)
{
    int error = errno;
    siginfo_t info;

    while (hd_outside_signal_next(true, &info))
        if (!hd_signal_take_own(&info, pc))
            hd_signal_send(hd.cur, &info);
    errno = error;
}

/* ---- actions, masks ----------------------------------------------------------------------------- */

void hd_signal_mask(uint64_t mask, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    t->signals.mask = mask & ~HD_SIGNALS_UNBLOCKABLE;
    if (!hd.signals)
        return;
    die_of_pending(pc);
    while (take_now(t, ~UINT64_C(0), pc))
        ;
    refresh();
}

void hd_signal_wait_mask(uint64_t mask)
{
    hd.cur->signals.mask = mask & ~HD_SIGNALS_UNBLOCKABLE;
    if (hd.signals)
        refresh();
}

/* ---- waiting ---------------------------------------------------------------------------------- */

int hd_signal_accept(uint64_t set, siginfo_t *info)
{
    siginfo_t got;
    int number = hd_signal_take_pending(hd.cur, set, &got);

    if (number != 0 && info != NULL)
        *info = got;
    if (number != 0)
        refresh();
    return number;
}

void hd_signal_awaits(uint64_t set)
{
    side_of(hd.cur)->awaits = set;
}

uint32_t hd_signal_handled(const struct hd_thread *t)
{
    const struct side *s = side_of(t);

    return s->handled - s->before;
}

/* Called for every wait.  If no signal was sent, no handler has run. */
void hd_signal_wait_ends(enum hd_wait_end how)
{
    hd.cur->signals.wait_end = (uint8_t)how;
    if (HD_LIKELY(!hd.signals))
        return;
    struct side *s = side_of(hd.cur);

    s->before = s->handled;
    s->interrupted = false;
}

/* POSIX: all waits except those on futexes are cancellation points.  When a handler interrupts such a wait of a
 * thread with a cancellation request, the thread acts on the request, unless the event that it waits for or the end
 * of its time has come first. */
bool hd_signal_ended_wait(void)
{
    enum hd_wait_end how = hd.cur->signals.wait_end;

    hd.cur->signals.wait_end = HD_WAIT_GOES_ON;
    if (HD_LIKELY(!hd.signals))
        return false;
    struct side *s = side_of(hd.cur);
    bool ended = s->interrupted;

    s->interrupted = false;
    if (ended && how != HD_WAIT_QUEUED)
        hd_cancel_point();
    return ended;
}

bool hd_signal_has_ended_wait(void)
{
    return hd.signals && side_of(hd.cur)->interrupted;
}

bool hd_signal_repeats_call(void)
{
    return side_of(hd.cur)->repeats;
}

bool hd_op_ends(enum hd_kind kind, struct hd_obj *o, enum hd_wait_end how, uint64_t pc)
{
    hd_signal_wait_ends(how);
    hd_op(kind, o, NULL, pc);
    return !hd_signal_ended_wait();
}

/* Chooses between two alternatives, of which one or both are possible (bits 1 and 2).  Whether a thread can
 * continue depends on other threads, but for a reduction the existence of a choice must not depend on them.  So a
 * reduced search always makes the choice, and an execution that takes the impossible alternative is cut, as with
 * faults (fault.c). */
static uint32_t chooses(unsigned possible, uint64_t pc)
{
    uint32_t got = possible == 1 ? 0 : 1;

    if (possible == 3 || hd.cfg->fault_past_bound)
        got = hd_choose(2, pc);
    if (!(possible >> got & 1))
        hd_execution_over(HD_END_CUT);
    return got;
}

/* True if a handler that ran while t was about to wait ends the wait.  If the handler could also
 * have run before the call, both results are possible. */
static bool ends_wait(const struct hd_thread *t, struct side *s, bool blocked, bool restarts, uint64_t pc)
{
    switch ((enum hd_wait_end)t->signals.wait_end) {
    case HD_WAIT_GOES_ON:
    case HD_WAIT_INSIDE: /* hd_signal_handled decides */
        return false;
    case HD_WAIT_FOR_IT:
        if (hd_choose(2, pc) == 1)
            s->before = s->handled;
        return false;
    case HD_WAIT_RESTARTS:
        if (restarts)
            return false;
        break;
    case HD_WAIT_QUEUED: /* the handler cannot have run before the call: the wait has begun */
        s->repeats = restarts;
        return true;
    case HD_WAIT_ENDS:
        break;
    }
    return chooses(blocked ? 3 : 2, pc) == 0;
}

/* ---- the gate ---------------------------------------------------------------------------------- */

/* Turns signals from outside into signals for the process (outside_signals.h, O2).  Returns false
 * if there is none. */
static bool admit_outside(void)
{
    siginfo_t info;
    bool any = false;

    hd_signal_begin();
    while (hd_outside_signal_next(false, &info)) {
        hd_signal_send(NULL, &info);
        any = true;
    }
    if (any) {
        hd_fact(HD_FACT_SIGNAL);
        hd_uncontrolled("a signal from outside: its time of arrival is not controlled");
        refresh();
    }
    return any;
}

void hd_signal_announced(struct hd_thread *t)
{
    struct side *s = side_of(t);

    admit_outside();

    if (!s->is_deferred && !t->in_section && !hd.exit_begun && takes(t) != 0 && !s->put_off) {
        s->was_blocked = false;
        defer(t, s);
    }
}

/* True if the deferred operation of t is enabled now. */
static bool could_go_on(struct hd_thread *t, struct side *s)
{
    take_up(t, s);
    bool can = hd_set_has(&hd.point.enabled, t->tid);

    defer(t, s);
    return can;
}

/* True if the operation is enabled only because its timeout may have expired. */
static bool waits_for_time(const struct hd_saved_op *a)
{
    return a->event.kind == HD_EV_SLEEP ||
           (a->event.kind == HD_EV_SEM_TIMEDWAIT && !hd_can(a->obj, HD_EV_SEM_TIMEDWAIT));
}

/* True if the deferred operation of t is a wait on a futex and there is a token for it.  Then t
 * wakes up before it takes the signal, as in the kernel.  If it ran the handler first, another
 * waiter could take the token meanwhile, and t would still wait, although its wait has ended in
 * either case.  The order in which the other waiter gets the token belongs to another execution, in
 * which that waiter wakes up first. */
static bool is_woken(struct hd_thread *t, struct side *s)
{
    if (t->signals.wait_end != HD_WAIT_QUEUED || s->deferred.waits == NULL)
        return false;
    take_up(t, s);
    bool woken = hd_gate_is_woken(t);

    defer(t, s);
    return woken;
}

/* True if t may execute its deferred operation first.  The limit prevents a polling loop from deferring a signal
 * for ever. */
static bool may_put_off(struct hd_thread *t, struct side *s)
{
    if (!could_go_on(t, s))
        return false;
    if (s->nput_off < MAX_PUT_OFF)
        return true;
    hd_uncontrolled("a signal that a thread puts off is taken after 64 operations");
    return false;
}

/* Makes the step depend on the objects of the deferred operation: what the thread can do depends on
 * whether that operation is enabled. */
static void depend_on(const struct hd_saved_op *stood, uint64_t pc)
{
    if (stood->obj != NULL)
        hd_touch_unit(stood->obj, false, pc);
    if (stood->obj2 != NULL)
        hd_touch_unit(stood->obj2, false, pc);
}

/* At the turn of t, takes the signal or lets t execute its deferred operation first (S3).  The event has the pc of the
 * deferred operation.  Other threads run meanwhile, as at any operation. */
bool hd_signal_turn(struct hd_thread *t)
{
    struct side *s = side_of(t);
    struct hd_event *e = &hd.exec->pending[t->tid];
    siginfo_t info;

    if (!s->is_deferred) {
        s->put_off = false;
        return false;
    }
    uint64_t pc = s->deferred.event.pc;
    unsigned possible = is_woken(t, s) ? 2 : may_put_off(t, s) ? 3 : 1; /* bit 1: take the signal, bit 2: execute
                                                                         * the deferred operation first */
    bool blocked = !(possible & 2) || s->was_blocked || waits_for_time(&s->deferred);
    struct hd_saved_op stood = s->deferred;
    uint64_t progress = t->progress, all = hd.progress;

    hd_done(0, 0);
    depend_on(&stood, pc);
    s->is_deferred = false;
    if (chooses(possible, pc) == 1) {
        t->progress = progress; /* nothing has happened: a polling thread is still polling */
        hd.progress = all;
        s->nput_off++;
        s->put_off = true;
        s->deferred = stood;
        take_up(t, s);
        return true;
    }
    HD_INVARIANT(hd_signal_take_pending(t, takes(t), &info) != 0, "a signal was announced that nobody has sent");
    uint8_t wait_end = t->signals.wait_end;

    s->nput_off = 0;
    if (wait_end == HD_WAIT_QUEUED)
        hd_wait_leave(t); /* no thread can wake it while the handler runs */
    t->signals.wait_end = HD_WAIT_GOES_ON; /* waits inside the handler are independent of this one */
    refresh();
    learn(pc);
    bool restarts = run_handler(t, &info, pc);

    t->signals.wait_end = wait_end;
    if (ends_wait(t, s, blocked, restarts, pc)) {
        s->interrupted = true;
        e->kind = HD_EV_NONE;
        refresh();
        return false;
    }
    s->deferred = stood;
    take_up(t, s);
    refresh();
    hd_signal_announced(t);
    return true;
}

bool hd_signal_take_deferred(void)
{
    bool any = admit_outside();

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];
        struct side *s = side_of(t);

        if (!is_live(t) || !s->put_off || s->is_deferred || takes(t) == 0 ||
            hd.exec->pending[i].kind == HD_EV_NONE || hd.exec->pending[i].kind == HD_EV_EXIT_END)
            continue;
        s->put_off = false;
        defer(t, s);
        any = true;
    }
    return any;
}

void hd_signal_thread_ends(void)
{
    struct hd_thread *t = hd.cur;
    uint64_t left = t->signals.pending;

    for (uint64_t w = takes(t) & ~left; w != 0; w &= w - 1)
        if (!somebody_has_open(__builtin_ctzll(w) + 1, t, true))
            left |= w & -w;
    if (takes(t) & t->signals.pending) /* POSIX also allows the thread to end without taking the signal */
        hd_uncontrolled("a signal that may be lost because its thread ends");
    while (take_now(t, left, 0))
        ;
}

/* ---- the alternate stack -------------------------------------------------------------------------- */

int hd_signal_stack(const stack_t *want, stack_t *old)
{
    struct side *s = side_of(hd.cur);
    bool on = hd_signal_on_stack(&s->stack, (uintptr_t)__builtin_frame_address(0));

    if (old != NULL) {
        *old = s->stack;
        old->ss_flags |= on ? SS_ONSTACK : 0;
    }
    if (want == NULL)
        return 0;
    if (on)
        return EPERM;
    if ((want->ss_flags & ~(SS_DISABLE | SS_ONSTACK)) != 0)
        return EINVAL;
    if ((want->ss_flags & SS_DISABLE) == 0 && want->ss_size < 2048)
        return ENOMEM;
    s->stack = want->ss_flags & SS_DISABLE ? (stack_t){ .ss_flags = SS_DISABLE } : *want;
    s->stack.ss_flags &= SS_DISABLE;
    return 0;
}
