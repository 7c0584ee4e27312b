/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_ready.c - waiting for several descriptors: poll, select, epoll.
 *
 * Each look is a visible operation that changes nothing; one that finds nothing lets
 * the others go (see intercept_io.c). */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/early.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/intercept_time.h"
#include "runtime/real.h"

#define NS_PER_MS 1000000

/* One round of a wait that found nothing: false when its time is over.  A limit
 * below 0 means for ever; any other time-out is a schedule, so it may be over
 * after the first yield. */
static bool wait_round(int64_t limit_ns, uint64_t pc)
{
    hd_cancel_point();
    if (limit_ns == 0)
        return false;
    if (limit_ns < 0) {
        hd_yield(pc);
        return true;
    }
    hd_sleep_until(hd.now_ns + (uint64_t)limit_ns, pc);
    return false;
}

/* In an interposer: look (an expression, how many are ready) until there is something
 * or the time is over. */
#define LOOK(look)                                                     \
    (__extension__({                                                   \
        hd_io_attempt(HD_PC);                                          \
        int seen_ = (look);                                            \
                                                                       \
        hd_done((uint64_t)(unsigned)seen_, HD_EVF_FAILED);             \
        seen_;                                                         \
    }))
#define LOOK_UNTIL(look, limit_ns)                                     \
    int ready;                                                         \
                                                                       \
    while ((ready = LOOK(look)) == 0)                                  \
        if (!wait_round(limit_ns, HD_PC))                              \
            return (limit_ns) == 0 ? 0 : LOOK(look);                   \
    return ready

static int64_t limit_of_ms(int ms)
{
    return ms < 0 ? -1 : (int64_t)ms * NS_PER_MS;
}

/* Of a relative limit that may be absent. */
static int64_t limit_of(const struct timespec *t)
{
    return t == NULL ? -1 : (int64_t)hd_time_ns(t);
}

HD_POLL_ENTRY(poll);
int hd_impl_poll(struct pollfd *set, nfds_t n, int ms)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(poll)(set, n, ms);
    hd_io_writes(set, n * sizeof *set);
    LOOK_UNTIL(HD_REAL(poll)(set, n, 0), limit_of_ms(ms));
}

HD_POLL_ENTRY(ppoll);
int hd_impl_ppoll(struct pollfd *set, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    static const struct timespec at_once;

    if (hd.cur == NULL)
        return HD_REAL_WAIT(ppoll)(set, n, limit, mask);
    hd_io_writes(set, n * sizeof *set);
    LOOK_UNTIL(HD_REAL(ppoll)(set, n, &at_once, mask), limit_of(limit));
}

static void events_written(struct epoll_event *events, int max)
{
    hd_io_writes(events, max > 0 ? (size_t)max * sizeof *events : 0);
}

HD_POLL_ENTRY(epoll_wait);
int hd_impl_epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(epoll_wait)(fd, events, max, ms);
    events_written(events, max);
    LOOK_UNTIL(HD_REAL(epoll_wait)(fd, events, max, 0), limit_of_ms(ms));
}

HD_POLL_ENTRY(epoll_pwait);
int hd_impl_epoll_pwait(int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(epoll_pwait)(fd, events, max, ms, mask);
    events_written(events, max);
    LOOK_UNTIL(HD_REAL(epoll_pwait)(fd, events, max, 0, mask), limit_of_ms(ms));
}

/* The sets go in and out, so every look needs them as they were. */
struct select_sets {
    fd_set *given[3];
    fd_set kept[3];
    const sigset_t *mask;
};

static void keep(struct select_sets *s)
{
    for (int i = 0; i < 3; i++)
        if (s->given[i] != NULL)
            s->kept[i] = *s->given[i];
}

static int select_now(int n, const struct select_sets *s)
{
    static const struct timespec at_once;

    for (int i = 0; i < 3; i++)
        if (s->given[i] != NULL)
            *s->given[i] = s->kept[i];
    return HD_REAL(pselect)(n, s->given[0], s->given[1], s->given[2], &at_once, s->mask);
}

HD_POLL_ENTRY(select);
int hd_impl_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *limit)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(select)(n, r, w, x, limit);
    struct select_sets s = { .given = { r, w, x } };
    int64_t ns = limit == NULL ? -1 : limit->tv_sec * (int64_t)HD_NS_PER_S + limit->tv_usec * 1000;

    keep(&s);
    LOOK_UNTIL(select_now(n, &s), ns);
}

HD_POLL_ENTRY(pselect);
int hd_impl_pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *limit,
                    const sigset_t *mask)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pselect)(n, r, w, x, limit, mask);
    struct select_sets s = { .given = { r, w, x }, .mask = mask };

    keep(&s);
    LOOK_UNTIL(select_now(n, &s), limit_of(limit));
}
