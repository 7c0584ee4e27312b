/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_timerfd.c - timers that are read from a descriptor.
 *
 * They stay the kernel's, so that poll and epoll know them; but time is virtual, and nobody
 * wants to wait for the real one.  So the kernel's timer is set to a thousandth of the time,
 * which keeps the order of timers, and reading it makes virtual time as late as it was set to.
 * Who reads one learns from who has set it: the channel is not known (channel.h, C4). */
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "runtime/channel.h"
#include "runtime/files.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/real.h"

enum {
    MAX_FDS = 1024, /* above it, and of copies, nothing is known: they keep real time */
    FASTER = 1000,
    SHORTEST = 1000000 /* of an interval, in nanoseconds, unless it was set to less */
};

static struct clock {
    uint32_t epoch; /* the execution in which it was made */
    clockid_t clock;
    uint64_t expiry, interval; /* virtual */
} clocks[MAX_FDS];

static struct clock *clock_of(int fd)
{
    return hd.cur != NULL && fd >= 0 && fd < MAX_FDS && clocks[fd].epoch == hd.epoch ? &clocks[fd] : NULL;
}

void hd_timerfd_closed(int fd)
{
    struct clock *c = clock_of(fd);

    if (c != NULL)
        c->epoch = 0;
}

HD_EXPORT int timerfd_create(clockid_t clock, int flags)
{
    if (hd.cur == NULL)
        return HD_REAL(timerfd_create)(clock, flags);
    hd_io_descriptor();
    hd_uncontrolled("timerfd: timers expire by the real clock");
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, HD_PC);
    int fd = HD_REAL(timerfd_create)(clock, flags);

    hd_shared_end(begun, fd < 0);
    hd_files_opened(fd);
    if (fd >= 0 && fd < MAX_FDS)
        clocks[fd] = (struct clock){ .epoch = hd.epoch, .clock = clock };
    return fd;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / HD_NS_PER_S), (long)(ns % HD_NS_PER_S) };
}

/* What the kernel is told in place of this much time; 0 stays 0. */
static uint64_t real_time(uint64_t ns, uint64_t least)
{
    uint64_t fast = ns / FASTER;

    return fast >= least ? fast : ns < least ? ns : least;
}

/* What the kernel says of it, in virtual time. */
static void tell(const struct clock *c, struct itimerspec *now)
{
    bool armed = now->it_value.tv_sec != 0 || now->it_value.tv_nsec != 0;
    uint64_t time = hd_time_of(c->clock);

    now->it_interval = timespec_of(c->interval);
    if (armed)
        now->it_value = timespec_of(c->expiry > time ? c->expiry - time : 1);
}

static int set(int fd, struct clock *c, int flags, const struct itimerspec *want,
               struct itimerspec *old)
{
    struct clock before = *c;
    uint64_t value = hd_time_ns(&want->it_value), now = hd_time_of(c->clock);
    bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
    uint64_t left = !absolute || value == 0 ? value : value > now ? value - now : 1;

    if (!hd_time_valid(&want->it_value) || !hd_time_valid(&want->it_interval))
        return HD_REAL(timerfd_settime)(fd, flags, want, old); /* it says what is wrong */
    c->expiry = now + left;
    c->interval = hd_time_ns(&want->it_interval);
    struct itimerspec real = { timespec_of(real_time(c->interval, SHORTEST)),
                               timespec_of(real_time(left, 1)) };
    int result = HD_REAL(timerfd_settime)(fd, 0, &real, old);

    if (old != NULL)
        tell(&before, old);
    return result;
}

HD_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *want,
                              struct itimerspec *old)
{
    if (hd.cur == NULL)
        return HD_REAL(timerfd_settime)(fd, flags, want, old);
    hd_io_writes(old, sizeof *old);
    hd_io_attempt(HD_PC);
    struct clock *c = clock_of(fd);
    int result = c != NULL ? set(fd, c, flags, want, old)
                           : HD_REAL(timerfd_settime)(fd, flags, want, old);

    hd_io_end(true, result);
    return result;
}

HD_EXPORT int timerfd_gettime(int fd, struct itimerspec *now)
{
    if (hd.cur == NULL)
        return HD_REAL(timerfd_gettime)(fd, now);
    hd_io_writes(now, sizeof *now);
    hd_io_attempt(HD_PC);
    const struct clock *c = clock_of(fd);
    int result = HD_REAL(timerfd_gettime)(fd, now);

    if (result == 0 && c != NULL)
        tell(c, now);
    hd_channel_told(0, HD_EVF_FAILED); /* it has changed nothing */
    return result;
}

void hd_timerfd_read(int fd, uint64_t expiries)
{
    struct clock *c = clock_of(fd);

    if (c == NULL)
        return;
    c->expiry += c->interval * (expiries - 1);
    hd_time_reach(c->clock, c->expiry);
    c->expiry += c->interval;
}
