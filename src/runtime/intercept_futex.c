/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_futex.c - syscall(): futexes, and the system calls that have a
 * controlled twin.
 *
 * libstdc++ waits for futures, atomics, semaphores and local statics through
 * syscall(SYS_futex): to the kernel all fibers are one thread, so a wait would
 * hang for ever.  Futexes follow the model of conditions: a wake-up gives tokens,
 * and any thread that waited then may take one.
 *
 * A futex wait may return without a reason, so every user tests its word again.
 * That is what makes two shortcuts sound: a wake-up that names a bit set wakes
 * all, and a requeue wakes instead of moving.
 *
 * The entry stub passes the registers on, hence no va_list: the seventh argument
 * lies on the stack, and may be garbage when the call has fewer. */
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/early.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/intercept_fork.h"
#include "runtime/intercept_misc.h"
#include "runtime/intercept_random.h"
#include "runtime/intercept_time.h"

#define MATCH_ANY 0xffffffffu

/* A system call's result as libc gives it. */
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
    const struct timespec *limit; /* or a number, for a requeue */
    uint32_t value3;
};

/* When the wait times out, on hd.now_ns; *error is EINVAL for a bad time. */
static uint64_t deadline_of(const struct futex_call *c, int *error)
{
    bool absolute = (c->op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
    uint64_t limit, now;

    *error = hd_time_valid(c->limit) && c->limit->tv_sec >= 0 ? 0 : EINVAL;
    limit = hd_time_ns(c->limit);
    if (!absolute)
        return hd.now_ns + limit;
    now = hd_time_of((c->op & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
    return hd.now_ns + (limit > now ? limit - now : 0);
}

static long futex_wait(const struct futex_call *c, uint64_t pc)
{
    struct hd_obj *queue = hd_object(c->word, HD_OBJ_FUTEX);
    struct hd_obj *word = hd_object(c->word, HD_OBJ_MEMORY);
    uint64_t deadline = 0;
    int error = 0;

    if (c->limit != NULL)
        deadline = deadline_of(c, &error);
    if (error != 0)
        return -error;
    hd_op(HD_EV_FUTEX_WAIT, word, queue, pc);
    uint32_t now = __atomic_load_n(c->word, __ATOMIC_SEQ_CST);

    if (now != c->value) {
        hd_done(now, HD_EVF_FAILED);
        return -EAGAIN;
    }
    hd_wait_enqueue(queue, c->limit != NULL);
    hd_done(now, 0);
    if (hd_wait_block(queue, NULL, pc) || c->limit == NULL)
        return 0;
    if (deadline > hd.now_ns)
        hd_time_pass(deadline - hd.now_ns);
    return -ETIMEDOUT;
}

/* Give up to n tokens, unless the word must hold *expected and does not. */
static long futex_wake(uint32_t *word, unsigned n, const uint32_t *expected, uint64_t pc)
{
    struct hd_obj *queue = hd_object(word, HD_OBJ_FUTEX);

    hd_op(HD_EV_FUTEX_WAKE, queue, NULL, pc);
    if (expected != NULL && __atomic_load_n(word, __ATOMIC_SEQ_CST) != *expected) {
        hd_done(0, HD_EVF_FAILED);
        return -EAGAIN;
    }
    unsigned woken = hd_wait_tokens(queue, n);

    hd_done(n, 0); /* how many it may wake: in another order there may be more waiters */
    return woken;
}

/* Both numbers together: who would be moved is woken. */
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

static long membarrier(long command, long flags, long cpu, uint64_t pc)
{
    if (command == MEMBARRIER_CMD_QUERY)
        return result(hd_sys(SYS_membarrier, command, flags, cpu));
    hd_note(HD_EV_FENCE, NULL, HD_FENCE_EVERYBODY, pc);
    return 0;
}

/* Calls with a controlled twin, which sets errno itself; *known is false for others. */
static long twin(long nr, long a, long b, long c, long d, uint64_t pc, bool *known)
{
    *known = true;
    switch (nr) {
    case SYS_gettid:
        return hd_virtual_tid();
    case SYS_getpid:
        return HD_VIRTUAL_PID;
    case SYS_getppid:
        return HD_VIRTUAL_PARENT;
    case SYS_sched_yield:
        hd_yield(pc);
        return 0;
    case SYS_getrandom:
        hd_random_fill((void *)a, (size_t)b);
        return b;
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)a, (struct timespec *)b);
    case SYS_gettimeofday:
        return gettimeofday((struct timeval *)a, (void *)b);
    case SYS_time:
        return time((time_t *)a);
    case SYS_nanosleep:
        return result(-hd_sleep_for((const struct timespec *)a, pc));
    case SYS_clock_nanosleep:
        return result(-clock_nanosleep((clockid_t)a, (int)b, (const struct timespec *)c,
                                       (struct timespec *)d));
    case SYS_getcpu:
        return getcpu((unsigned *)a, (unsigned *)b);
    case SYS_membarrier:
        return membarrier(a, b, c, pc);
    case SYS_fork:
    case SYS_vfork:
        return fork();
    case SYS_futex_waitv: /* libraries that know it fall back to SYS_futex */
        errno = ENOSYS;
        return -1;
    case SYS_clone:
        return result(hd_raw_clone((const long[]){ a, b, c, d, 0, 0 }, pc));
    case SYS_clone3: /* libc falls back to clone */
        hd_uncontrolled("clone3 by a raw system call: refused with ENOSYS");
        errno = ENOSYS;
        return -1;
    case SYS_exit: /* the raw call would end the only kernel thread */
        pthread_exit(NULL);
    case SYS_exit_group:
        _exit((int)a);
    default:
        *known = false;
        return 0;
    }
}

static bool is_wait(int op)
{
    return (op & FUTEX_CMD_MASK) == FUTEX_WAIT || (op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
}

HD_POLL_ENTRY(syscall);
long hd_impl_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
    bool known;

    if (hd.cur == NULL) {
        if ((nr == SYS_futex && is_wait((int)b)) || nr == SYS_sched_yield)
            hd_early_await();
        return result(hd_sys6(nr, a, b, c, d, e, f));
    }
    if (nr == SYS_futex) {
        struct futex_call call = { (uint32_t *)a, (int)b, (uint32_t)c,
                                   (const struct timespec *)d, (uint32_t)f };

        return result(futex(&call, HD_PC));
    }
    hd_act_for(HD_PC);
    long r = twin(nr, a, b, c, d, HD_PC, &known);

    if (!known)
        r = hd_raw_io(nr, (const long[]){ a, b, c, d, e, f }, &known);
    if (!known)
        r = hd_raw_pids(nr, (const long[]){ a, b, c, d, e, f }, &known);
    if (hd.cur != NULL) /* it is NULL in the child of a fork */
        hd_act_for(0);
    return known ? r : result(hd_sys6(nr, a, b, c, d, e, f));
}
