/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex.c - syscall(), and the model of futexes.  For all other system calls see syscalls.h.
 *
 * libstdc++ waits for futures, atomics, semaphores and local statics through syscall(SYS_futex).
 * To the kernel all fibers are one thread, so a real wait would hang for ever.  Futexes follow the
 * model of condition variables: a wake-up adds tokens, and any thread that waits at that moment may
 * take one.
 *
 * A futex wait may return spuriously, so every user tests its word again.  This makes two
 * simplifications sound: a wake-up with a bit set wakes all waiters, and a requeue wakes threads
 * instead of moving them.
 *
 * The entry stub passes the registers on, so there is no va_list.  The seventh argument lies on the
 * stack and may be garbage if the call has fewer arguments. */
#include <linux/futex.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/raw.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/signals.h"

#define MATCH_ANY 0xffffffffu

/* Converts the result of a system call to that of a libc function: sets errno and returns -1 on an
 * error. */
static long result(long r)
{
    if (r >= 0 || r < -4095)
        return r;
    errno = (int)-r;
    return -1;
}

struct futex_call {
    uint32_t *word;
    int op;
    uint32_t value;
    const struct timespec *limit; /* a number instead of a pointer if the call is a requeue */
    uint32_t value3;
};

/* Returns the time (hd_now_ns) at which the wait times out.  Sets *error to EINVAL if the limit is
 * invalid, otherwise to 0. */
static uint64_t deadline_of(const struct futex_call *c, int *error)
{
    bool absolute = (c->op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
    uint64_t limit, now;

    *error = hd_time_valid(c->limit) && c->limit->tv_sec >= 0 ? 0 : EINVAL;
    limit = hd_time_ns(c->limit);
    if (!absolute)
        return hd_now_ns + limit;
    now = hd_time_of((c->op & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
    return hd_now_ns + (limit > now ? limit - now : 0);
}

/* Makes one attempt: compares the word, then waits.  A signal handler ends the wait with EINTR. */
static long wait_once(const struct futex_call *c, uint64_t deadline, uint64_t pc)
{
    struct hd_obj *queue = hd_object(c->word, HD_OBJ_FUTEX);
    struct hd_obj *word = hd_object(c->word, HD_OBJ_MEMORY);

    hd_op(HD_EV_FUTEX_WAIT, word, queue, pc);
    uint32_t now = __atomic_load_n(c->word, __ATOMIC_SEQ_CST);

    if (now != c->value) {
        hd_done(now, HD_EVF_FAILED);
        return -EAGAIN;
    }
    hd.cur->deadline = deadline;
    hd_wait_enqueue(queue, c->limit != NULL);
    hd_done(now, 0);
    hd_signal_wait_ends(HD_WAIT_QUEUED);
    bool woken = hd_wait_block(queue, NULL, pc);

    if (hd_signal_ended_wait())
        return -EINTR;
    if (woken || c->limit == NULL)
        return 0;
    if (deadline > hd_now_ns)
        hd_time_pass(deadline - hd_now_ns);
    return -ETIMEDOUT;
}

/* After a handler with SA_RESTART the kernel makes the call again, and so compares the word again.
 * A wait with a time limit is never made again: it fails with EINTR. */
static long futex_wait(const struct futex_call *c, uint64_t pc)
{
    uint64_t deadline = 0;
    int error = 0;
    long result;

    if (c->limit != NULL)
        deadline = deadline_of(c, &error);
    if (error != 0)
        return -error;
    do
        result = wait_once(c, deadline, pc);
    while (result == -EINTR && c->limit == NULL && hd_signal_repeats_call());
    return result;
}

/* Adds up to n tokens.  Fails with EAGAIN if expected is not NULL and the word differs from
 * *expected. */
static long futex_wake(uint32_t *word, unsigned n, const uint32_t *expected, uint64_t pc)
{
    struct hd_obj *queue = hd_object(word, HD_OBJ_FUTEX);

    hd_op(HD_EV_FUTEX_WAKE, queue, NULL, pc);
    if (expected != NULL && __atomic_load_n(word, __ATOMIC_SEQ_CST) != *expected) {
        hd_done(0, HD_EVF_FAILED);
        return -EAGAIN;
    }
    unsigned woken = hd_wait_tokens(queue, n);

    hd_done(n, 0); /* records the limit, not the number of woken threads: in another order there may
                    * be more waiters */
    return woken;
}

/* Wakes all threads that the call would wake or move. */
static long futex_requeue(const struct futex_call *c, const uint32_t *expected, uint64_t pc)
{
    int64_t wake = (int32_t)c->value, move = (int32_t)(uintptr_t)c->limit;

    if (wake < 0 || move < 0)
        return -EINVAL;
    hd_fact(HD_FACT_FUTEX);
    return futex_wake(c->word, (unsigned)(wake + move), expected, pc);
}

static long futex(const struct futex_call *c, uint64_t pc)
{
    if (((uintptr_t)c->word & 3) != 0)
        return -EINVAL;
    switch (c->op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT_BITSET:
        if (c->value3 == 0)
            return -EINVAL;
        return futex_wait(c, pc);
    case FUTEX_WAIT:
        return futex_wait(c, pc);
    case FUTEX_WAKE_BITSET:
        if (c->value3 == 0)
            return -EINVAL;
        if (c->value3 != MATCH_ANY)
            hd_fact(HD_FACT_FUTEX);
        return futex_wake(c->word, c->value3 == MATCH_ANY ? c->value : UINT32_MAX, NULL, pc);
    case FUTEX_WAKE:
        return futex_wake(c->word, c->value, NULL, pc);
    case FUTEX_REQUEUE:
        return futex_requeue(c, NULL, pc);
    case FUTEX_CMP_REQUEUE:
        return futex_requeue(c, &c->value3, pc);
    default:
        hd_uncontrolled("futex operations with priority inheritance: refused with ENOSYS");
        return -ENOSYS;
    }
}

static bool is_wait(int op)
{
    return (op & FUTEX_CMD_MASK) == FUTEX_WAIT || (op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
}

long hd_raw_futex(const long a[6], uint64_t pc)
{
    struct futex_call call = { (uint32_t *)a[0], (int)a[1], (uint32_t)a[2],
                               (const struct timespec *)a[3], (uint32_t)a[5] };

    return futex(&call, pc);
}

HD_POLL_ENTRY(syscall);
long hd_impl_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
    if (hd.cur == NULL) {
        if ((nr == SYS_futex && is_wait((int)b)) || nr == SYS_sched_yield)
            hd_early_thread_await();
        return result(hd_sys6(nr, a, b, c, d, e, f));
    }
    return result(hd_syscall(nr, (const long[]){ a, b, c, d, e, f }, HD_PC));
}
