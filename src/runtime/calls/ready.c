/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ready.c - waiting for several descriptors: poll, select, epoll.  Each look at the descriptors is
 * a visible operation.  If only threads of this program can make them ready, it is an operation
 * that waits (io_wait.h).  Otherwise, a thread that finds none ready lets other threads run and
 * looks again. */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/time.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"

#define NS_PER_MS 1000000

/* Call after a look that found nothing: lets other threads run.  Returns false if the time is over.  A limit below
 * 0 means no limit.  Any other limit may expire at any moment, so the time is over after the first yield. */
static bool wait_round(int64_t limit_ns, uint64_t pc)
{
    hd_cancel_point();
    if (limit_ns == 0)
        return false;
    if (limit_ns < 0) {
        hd_yield(pc);
        hd_io_outside();
        return true;
    }
    hd_sleep_until(hd_now_ns + (uint64_t)limit_ns, pc);
    return false;
}

/* Announces one look.  Returns true if the caller must make it; if it finds nothing, the caller
 * tries again unless wait_round returns false.  Returns false if the call is over with *result.  A
 * signal handler does not restart the call. */
static bool look_begin(const struct hd_io_wait *w, int64_t limit_ns, int *result, uint64_t pc)
{
    bool ended = false;

    if (limit_ns == 0 || !w->inner(w->what)) {
        hd_io_attempt(pc);
        return true;
    }
    if (hd_io_await_ends(w, limit_ns, HD_WAIT_ENDS, &ended, pc))
        return true;
    *result = ended ? -1 : 0;
    if (ended)
        errno = EINTR;
    return false;
}

/* Ends one look.  A look changes nothing, unless it removes events from an epoll set (takes).
 * learn(what) records the channels through which the thread has seen that descriptors are ready.
 * Returns seen. */
static int look_end(int seen, void (*learn)(const void *), const void *what, bool takes)
{
    hd_channel_nothing();
    if (seen > 0)
        learn(what);
    hd_channel_flow((uint64_t)(unsigned)seen, takes && seen > 0 ? 0 : HD_EVF_FAILED);
    return seen;
}

/* The body of an interposer: repeats `look` (an expression: the number of ready descriptors) until
 * it is not 0 or the time is over. */
#define LOOK_UNTIL(look, wait, limit_ns, learn, takes)                 \
    int ready;                                                         \
                                                                       \
    do {                                                               \
        if (!look_begin(wait, limit_ns, &ready, pc))                \
            return ready;                                              \
        ready = look_end(look, learn, (wait)->what, takes);            \
    } while (ready == 0 && wait_round(limit_ns, pc));               \
    if (ready != 0 || (limit_ns) == 0)                                 \
        return ready;                                                  \
    hd_io_attempt(pc);                                              \
    return look_end(look, learn, (wait)->what, takes)

static int64_t limit_of_ms(int ms)
{
    return ms < 0 ? -1 : (int64_t)ms * NS_PER_MS;
}

/* Converts a relative limit.  NULL: no limit. */
static int64_t limit_of(const struct timespec *t)
{
    return t == NULL ? -1 : (int64_t)hd_time_ns(t);
}

/* The model does not apply the mask during the wait: a signal that only this mask lets through does
 * not end the wait. */
static void note_mask(const sigset_t *mask)
{
    if (mask != NULL && hd_signal_word(mask) != hd.cur->signals.mask)
        hd_uncontrolled("the signal mask that ppoll, pselect or epoll_pwait is given: no signal ends the wait by it");
}

struct poll_set {
    struct pollfd *fds;
    nfds_t n;
};

/* Writes revents; this is harmless, because the real call overwrites them before it returns. */
static bool poll_is_ready(const void *what)
{
    const struct poll_set *s = what;

    return hd_sys(SYS_poll, s->fds, s->n, 0) != 0;
}

static bool poll_is_inner(const void *what)
{
    const struct poll_set *s = what;

    for (nfds_t i = 0; i < s->n; i++)
        if (s->fds[i].fd >= 0 && !hd_files_is_inner(s->fds[i].fd))
            return false;
    return true;
}

static void poll_learns(const void *what)
{
    const struct poll_set *s = what;

    for (nfds_t i = 0; i < s->n; i++)
        if (s->fds[i].fd >= 0 && s->fds[i].revents != 0)
            hd_channel_saw_ready(s->fds[i].fd, s->fds[i].revents);
}

static int model_poll(struct pollfd *set, nfds_t n, int ms, uint64_t pc)
{
    hd_io_writes(set, n * sizeof *set);
    struct poll_set all = { set, n };
    struct hd_io_wait wait = { poll_is_ready, poll_is_inner, &all, 0 };

    LOOK_UNTIL(HD_REAL(poll)(set, n, 0), &wait, limit_of_ms(ms), poll_learns, false);
}

static int model_ppoll(struct pollfd *set, nfds_t n, const struct timespec *limit, const sigset_t *mask, uint64_t pc)
{
    static const struct timespec at_once;

    note_mask(mask);
    hd_io_writes(set, n * sizeof *set);
    struct poll_set all = { set, n };
    struct hd_io_wait wait = { poll_is_ready, poll_is_inner, &all, 0 };

    LOOK_UNTIL(HD_REAL(ppoll)(set, n, &at_once, mask), &wait, limit_of(limit), poll_learns, false);
}

/* An epoll set can be polled itself, which removes no events from it. */
static bool epoll_is_ready(const void *set)
{
    return hd_io_is_ready(*(const int *)set, POLLIN);
}

static bool epoll_is_inner(const void *set)
{
    return hd_files_is_inner(*(const int *)set);
}

static void epoll_learns(const void *set)
{
    hd_channel_waited_for(*(const int *)set);
}

static void events_written(struct epoll_event *events, int max)
{
    hd_io_writes(events, max > 0 ? (size_t)max * sizeof *events : 0);
}

static int model_epoll_wait(int fd, struct epoll_event *events, int max, int ms, uint64_t pc)
{
    events_written(events, max);
    struct hd_io_wait wait = { epoll_is_ready, epoll_is_inner, &fd, 0 };

    LOOK_UNTIL(HD_REAL(epoll_wait)(fd, events, max, 0), &wait, limit_of_ms(ms), epoll_learns, true);
}

static int model_epoll_pwait(int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask, uint64_t pc)
{
    note_mask(mask);
    events_written(events, max);
    struct hd_io_wait wait = { epoll_is_ready, epoll_is_inner, &fd, 0 };

    LOOK_UNTIL(HD_REAL(epoll_pwait)(fd, events, max, 0, mask), &wait, limit_of_ms(ms), epoll_learns,
               true);
}

static int model_epoll_pwait2(int fd, struct epoll_event *events, int max, const struct timespec *limit,
                              const sigset_t *mask, uint64_t pc)
{
    note_mask(mask);
    events_written(events, max);
    struct hd_io_wait wait = { epoll_is_ready, epoll_is_inner, &fd, 0 };

    LOOK_UNTIL(HD_REAL(epoll_pwait)(fd, events, max, 0, mask), &wait, limit_of(limit), epoll_learns,
               true);
}

/* The sets are input and output, so every look needs the original ones. */
struct select_sets {
    int n;
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

static bool select_is_inner(const void *what)
{
    const struct select_sets *s = what;

    for (int i = 0; i < 3; i++)
        for (int fd = 0; s->given[i] != NULL && fd < s->n; fd++)
            if (FD_ISSET(fd, &s->kept[i]) && !hd_files_is_inner(fd))
                return false;
    return true;
}

static bool select_is_ready(const void *what)
{
    static const struct timespec at_once;
    struct select_sets copy = *(const struct select_sets *)what;
    fd_set *set[3];

    for (int i = 0; i < 3; i++)
        set[i] = copy.given[i] != NULL ? &copy.kept[i] : NULL;
    return HD_REAL(pselect)(copy.n, set[0], set[1], set[2], &at_once, NULL) != 0;
}

static int select_now(const struct select_sets *s)
{
    static const struct timespec at_once;

    for (int i = 0; i < 3; i++)
        if (s->given[i] != NULL)
            *s->given[i] = s->kept[i];
    return HD_REAL(pselect)(s->n, s->given[0], s->given[1], s->given[2], &at_once, s->mask);
}

static void select_learns(const void *what)
{
    static const short events[] = { POLLIN, POLLOUT, POLLPRI };
    const struct select_sets *s = what;

    for (int i = 0; i < 3; i++)
        for (int fd = 0; s->given[i] != NULL && fd < s->n; fd++)
            if (FD_ISSET(fd, s->given[i]))
                hd_channel_saw_ready(fd, events[i]);
}

static int model_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *limit, uint64_t pc)
{
    struct select_sets s = { .n = n, .given = { r, w, x } };
    struct hd_io_wait wait = { select_is_ready, select_is_inner, &s, 0 };
    int64_t ns = limit == NULL ? -1 : limit->tv_sec * (int64_t)HD_NS_PER_S + limit->tv_usec * 1000;

    keep(&s);
    LOOK_UNTIL(select_now(&s), &wait, ns, select_learns, false);
}

static int model_pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *limit, const sigset_t *mask,
                         uint64_t pc)
{
    note_mask(mask);
    struct select_sets s = { .n = n, .given = { r, w, x }, .mask = mask };
    struct hd_io_wait wait = { select_is_ready, select_is_inner, &s, 0 };

    keep(&s);
    LOOK_UNTIL(select_now(&s), &wait, limit_of(limit), select_learns, false);
}

static void note_polled(const struct pollfd *set, nfds_t n, int result, uint64_t pc)
{
    hd_range_of_call(set, result >= 0 ? n * sizeof *set : 0, true, pc);
}

static void note_events(const struct epoll_event *events, int result, uint64_t pc)
{
    hd_range_of_call(events, result > 0 ? (size_t)result * sizeof *events : 0, true, pc);
}

static void note_selected(int n, const fd_set *r, const fd_set *w, const fd_set *x, int result, uint64_t pc)
{
    size_t bytes = result >= 0 && n > 0 ? ((size_t)n + NFDBITS - 1) / NFDBITS * sizeof(fd_mask) : 0;

    hd_range_of_call(r, bytes, true, pc);
    hd_range_of_call(w, bytes, true, pc);
    hd_range_of_call(x, bytes, true, pc);
}

#define CALLS_READY
#include "runtime/calls/calls.def"
