/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timerfd.c - timers that are read from a descriptor.
 *
 * The schedule decides when a timer expires (timers.h).  The kernel's timer behind the descriptor
 * is never armed.  Instead the runtime sets its expiry count.  So read, poll, epoll, copies of the
 * descriptor and children see it like any other.  A timer belongs to the open file, whichever
 * descriptor refers to it.  Its expiry and its setting count as input or output, and threads that
 * wait for the descriptor wait for them (io_wait.h). */
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/timers.h"
#include "runtime/sys/compiler.h"

#ifndef TFD_IOC_SET_TICKS
#define TFD_IOC_SET_TICKS _IOW('T', 0, uint64_t)
#endif

/* Indexed by the place of the open file. */
static struct clock {
    struct hd_timer timer; /* must be first */
    uint32_t epoch;        /* the execution in which it was created */
    uint64_t ticks;        /* expiries since it was set or last read */
} clocks[HD_STATE_FILES - 1]; /* the last place is shared by many files, so it has none */

static uint16_t place_of(const struct clock *c)
{
    return (uint16_t)(HD_STATE_FIRST_OPEN + (c - clocks));
}

static struct clock *at_place_of(int fd)
{
    unsigned i = hd_files_place(fd) - (unsigned)HD_STATE_FIRST_OPEN;

    return fd >= 0 && i < HD_STATE_FILES - 1 ? &clocks[i] : NULL;
}

static struct clock *clock_of(int fd)
{
    struct clock *c = hd.cur != NULL ? at_place_of(fd) : NULL;

    return c != NULL && c->epoch == hd.epoch ? c : NULL;
}

/* ---- the kernel's timer ----------------------------------------------------------------- */

/* For kernels that cannot set the expiry count (built without checkpoint support): lets the real
 * timer expire once and waits for it. */
static void expire_once(int fd)
{
    static const struct itimerspec soon = { .it_value.tv_nsec = 1 };

    hd_uncontrolled("timerfd: this kernel counts no more than one expiry until it is read");
    HD_REAL(timerfd_settime)(fd, 0, &soon, NULL);
    while (!hd_io_is_ready(fd, POLLIN))
        hd_sys(SYS_sched_yield, 0, 0, 0);
}

static void expire(struct hd_timer *t)
{
    struct clock *c = (struct clock *)t;
    int fd = hd_files_at_place(place_of(c));

    if (fd < 0)
        return;
    c->ticks = 1 + (hd_io_is_ready(fd, POLLIN) ? c->ticks : 0);
    if (hd_sys(SYS_ioctl, fd, TFD_IOC_SET_TICKS, &c->ticks) != 0)
        expire_once(fd);
}

/* Call it after the operation: wakes threads that wait for fd. */
static void tell(int fd, uint64_t pc)
{
    hd_io_counts_as(pc);
    hd_channel_made_ready(fd, pc);
}

static void notify(struct hd_timer *t)
{
    int fd = hd_files_at_place(place_of((struct clock *)t));

    if (fd >= 0)
        tell(fd, t->pc);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void made(int fd, clockid_t clock)
{
    struct clock *c = at_place_of(fd);

    if (c == NULL) {
        hd_uncontrolled("timerfd: with more than 1,023 open files, timers expire by the real clock");
        return;
    }
    *c = (struct clock){ .timer = { .clock = clock, .most = HD_TIMER_MOST, .expire = expire, .notify = notify },
                         .epoch = hd.epoch };
    hd_timer_made(&c->timer);
    hd_files_set_inner(fd, true);
    hd_channel_single(fd, true);
}

static int model_timerfd_create(clockid_t clock, int flags, uint64_t pc)
{
    hd_io_descriptor();
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, pc);
    int fd = HD_REAL(timerfd_create)(clock, flags);

    hd_shared_end(begun, fd < 0);
    hd_files_opened(fd);
    if (fd >= 0)
        made(fd, clock);
    return fd;
}

/* Sets the timer, at its turn.  Disarming the kernel's timer clears expiries that were not read.
 * It also fails if fd is not a timer. */
static int set(int fd, struct clock *c, int flags, const struct itimerspec *want,
               struct itimerspec *old, uint64_t pc)
{
    static const struct itimerspec never;

    if (c == NULL || !hd_timer_is_valid(want) ||
        (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) != 0)
        return HD_REAL(timerfd_settime)(fd, flags, want, old); /* the real call reports the error */
    int result = HD_REAL(timerfd_settime)(fd, 0, &never, NULL);

    if (result == 0) {
        hd_timer_set(&c->timer, (flags & TFD_TIMER_ABSTIME) != 0, want, old, pc);
        c->ticks = 0;
    }
    return result;
}

static int set_unknown(int fd, int flags, const struct itimerspec *want, struct itimerspec *old,
                       uint64_t pc)
{
    hd_io_attempt(pc);
    int result = HD_REAL(timerfd_settime)(fd, flags, want, old);

    if (result == 0)
        hd_uncontrolled("timerfd: one that was made before main expires by the real clock");
    hd_io_end(true, result);
    return result;
}

HD_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *want,
                              struct itimerspec *old)
{
    struct clock *c = clock_of(fd);

    if (hd.cur == NULL)
        return HD_REAL(timerfd_settime)(fd, flags, want, old);
    hd_io_writes(old, sizeof *old);
    if (c == NULL)
        return set_unknown(fd, flags, want, old, HD_PC);
    hd_op(HD_EV_TIMER_SET, hd_timer_object(&c->timer), NULL, HD_PC);
    c = clock_of(fd); /* another thread may have closed it before the turn */
    int result = set(fd, c, flags, want, old, HD_PC);

    hd_done(c != NULL && c->timer.armed, result < 0 ? HD_EVF_FAILED : 0);
    hd_range_of_call(old, result == 0 ? sizeof *old : 0, true, HD_PC);
    if (c == NULL || result < 0)
        return result;
    tell(fd, HD_PC);
    int error = hd_timer_start(&c->timer);

    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

HD_EXPORT int timerfd_gettime(int fd, struct itimerspec *now)
{
    struct clock *c = clock_of(fd);

    if (hd.cur == NULL)
        return HD_REAL(timerfd_gettime)(fd, now);
    hd_io_writes(now, sizeof *now);
    if (c == NULL)
        return HD_REAL(timerfd_gettime)(fd, now);
    hd_entry.rsp = 0; /* the thread must not be parked: the result depends on the clock, too */
    hd_op(HD_EV_ATOMIC_LOAD, hd_timer_object(&c->timer), NULL, HD_PC);
    int result = HD_REAL(timerfd_gettime)(fd, now);

    c = clock_of(fd);
    if (result == 0 && c != NULL)
        *now = hd_timer_setting(&c->timer);
    hd_done(c != NULL && c->timer.armed, 0);
    return result;
}

#define CALLS_TIMERFD
#include "runtime/calls/calls.def"
