/* SPDX-License-Identifier: BSD-2-Clause
 *
 * channel.c - see channel.h.
 *
 * A channel is identified by the number (files.h, F1) of the open file at the end that receives its data. */
#include "runtime/kernel/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/loopback.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signals.h"

enum {
    PLACES = HD_STATE_FIRST_CONTENTS, /* every channel has a place below this */
    SHARED = HD_STATE_FIRST_CONTENTS - 1, /* the last place, shared by all open files beyond the limit */
    MAX_MET = 16,      /* maximum number of channels per operation; with more, the operation falls under C4 */
    MAX_CONNECTIONS = 64, /* maximum number of connections not yet accepted; further ones fall under C4 */
    SOCKET_OVERHEAD = 2048 /* bytes that the kernel may charge per message besides its contents */
};

/* ---- places -------------------------------------------------------------------------- */

/* State of a place, valid in the execution `epoch` only. */
struct place {
    uint32_t epoch;
    uint16_t watcher;  /* place of the epoll set that watches it; 0: none */
    bool unclear;      /* C4: the channel cannot be identified */
    bool is_set;
    uint32_t overhead; /* bytes that the kernel charges per write besides the data */
    uint64_t room;     /* C2: bytes that can be written before room may run out */
};

static struct place places[PLACES];

static struct place *place_of(uint16_t number)
{
    struct place *p = &places[number];

    if (p->epoch != hd.epoch)
        *p = (struct place){ .epoch = hd.epoch, .unclear = number == SHARED };
    return p;
}

static void set_room(uint16_t number, uint64_t room, uint32_t overhead)
{
    struct place *p = place_of(number);

    p->room = room;
    p->overhead = overhead;
}

/* Uses a quarter of the size that the kernel reports: pages of a pipe may be half empty, and a
 * blocked writer to a socket continues only when most of the buffer is free.  Packets have no
 * usable limit in bytes, so their channel has no room at all. */
static void measure(int fd, uint16_t number)
{
    int value = 0, type = 0;
    socklen_t n = sizeof value, m = sizeof type;
    long size = hd_sys(SYS_fcntl, fd, F_GETPIPE_SZ, 0);
    bool packets = (hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_DIRECT) != 0;

    if (size > 0)
        set_room(number, packets ? 0 : (uint64_t)size / 4, 0);
    else if (hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, SO_SNDBUF, (long)&value, (long)&n, 0) == 0 &&
             hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&m, 0) == 0 &&
             type == SOCK_STREAM && value > 0)
        set_room(number, (uint64_t)value / 4, SOCKET_OVERHEAD);
}

static bool is_narrow(uint16_t number)
{
    return place_of(number)->room == 0;
}

static void spend(uint16_t number, uint64_t amount)
{
    struct place *p = place_of(number);
    uint64_t cost = amount + p->overhead;

    p->room = cost >= amount && p->room > cost ? p->room - cost : 0;
}

void hd_channel_pair(int a, int b)
{
    struct hd_ends ends = { hd_files_place(a), hd_files_place(b) };

    hd_files_set_ends(a, ends);
    hd_files_set_ends(b, (struct hd_ends){ ends.other, ends.own });
    measure(a, ends.own);
    measure(b, ends.other);
}

void hd_channel_single(int fd, bool counts)
{
    uint16_t number = hd_files_place(fd);

    hd_files_set_ends(fd, (struct hd_ends){ number, number });
    set_room(number, counts ? UINT64_MAX / 2 : 0, 0);
    place_of(number)->is_set = !counts;
}

void hd_channel_listens(int fd)
{
    hd_files_set_ends(fd, (struct hd_ends){ HD_STATE_CONNECTIONS, HD_STATE_CONNECTIONS });
}

void hd_channel_narrow(int fd)
{
    struct hd_ends ends = hd.cur != NULL ? hd_files_ends(fd) : (struct hd_ends){ 0, 0 };

    if (ends.own == 0)
        return;
    place_of(ends.own)->room = 0;
    place_of(ends.other)->room = 0;
}

void hd_channel_received(int fd)
{
    hd_files_closed(fd);
}

/* ---- channels of the current operation ----------------------------------------------------- */

static struct {
    struct hd_ends at;
    bool all;
    bool settled; /* hd_channel_transferred has nothing to add */
    uint64_t amount;
    unsigned n;
    struct {
        uint16_t place, told;
    } met[MAX_MET];
} op;

void hd_channel_turn(void)
{
    op.at = (struct hd_ends){ 0, 0 };
    op.all = true;
    op.settled = false;
    op.amount = 0;
    op.n = 0;
}

void hd_channel_at(int fd)
{
    op.at = hd_files_ends(fd);
}

void hd_channel_adds(uint64_t amount)
{
    if (op.at.own == op.at.other)
        op.amount = amount;
}

void hd_channel_nothing(void)
{
    op.all = false;
    op.settled = true;
    op.n = 0;
}

static void meet(uint16_t number, unsigned told)
{
    unsigned i = 0;

    while (i < op.n && op.met[i].place != number)
        i++;
    if (i == MAX_MET || place_of(number)->unclear) {
        op.all = true;
        return;
    }
    if (i == op.n) {
        op.met[op.n].place = number;
        op.met[op.n++].told = 0;
    }
    op.met[i].told |= (uint16_t)told;
}

/* Adds a flow on the channel and on the epoll set that watches it (C3).  If the flow only makes room, the set gets
 * it only if room can run out (C2). */
static void tell(uint16_t number, unsigned told)
{
    meet(number, told);
    if (place_of(number)->watcher != 0 && ((told & HD_FLOW_TELLS) != 0 || is_narrow(number)))
        meet(place_of(number)->watcher, HD_FLOW_TELLS);
}

/* True if the call would have blocked.  A thread that sees that something has not happened yet is not ordered by
 * that. */
static bool is_in_vain(long result)
{
    long error = result < -1 ? -result : errno;

    return error == EAGAIN || error == EINTR || error == ETIMEDOUT || error == EINPROGRESS ||
           error == ENOMSG;
}

static void wrote(long n)
{
    spend(op.at.own, op.amount != 0 ? op.amount : (uint64_t)n);
    tell(op.at.own, HD_FLOW_TELLS | (is_narrow(op.at.own) ? HD_FLOW_LEARNS_ROOM : 0u));
}

void hd_channel_transferred(short events, long result)
{
    if (op.settled)
        return;
    /* closing a listener also ends the connections that it has not accepted */
    if (op.at.own == 0 || (op.at.own == HD_STATE_CONNECTIONS && events == 0)) {
        op.all = result >= 0 || !is_in_vain(result);
        return;
    }
    op.all = false;
    if (result < 0) {
        if (!is_in_vain(result)) /* for example, the other end is closed */
            meet(op.at.other, HD_FLOW_LEARNS);
    } else if (events & POLLIN) {
        tell(op.at.other, HD_FLOW_LEARNS | HD_FLOW_TELLS_ROOM);
    } else if (events & POLLOUT) {
        wrote(result);
    } else {
        tell(op.at.own, HD_FLOW_TELLS);
    }
}

void hd_channel_shut(void)
{
    if (op.settled || op.at.own == 0)
        return; /* C4: unknown channel */
    hd_channel_nothing();
    tell(op.at.own, HD_FLOW_TELLS);
    tell(op.at.other, HD_FLOW_TELLS);
}

/* Message queues are not pipes, but epoll and poll accept them too. */
void hd_channel_saw_ready(int fd, short events)
{
    struct hd_ends ends = hd_files_ends(fd);

    if (ends.own == 0) {
        op.all |= (events & ~POLLOUT) != 0 || hd_files_is_pipe(fd);
        return;
    }
    if ((events & ~POLLOUT) != 0)
        meet(ends.other, HD_FLOW_LEARNS);
    if ((events & POLLOUT) != 0 && is_narrow(ends.own))
        meet(ends.own, HD_FLOW_LEARNS_ROOM);
}

void hd_channel_counted(int fd)
{
    struct hd_ends ends = hd_files_ends(fd);

    if (ends.own == 0) {
        op.all = true;
        return;
    }
    meet(ends.other, HD_FLOW_LEARNS | HD_FLOW_LEARNS_ROOM);
    meet(ends.own, HD_FLOW_LEARNS | HD_FLOW_LEARNS_ROOM);
}

/* ---- epoll sets ---------------------------------------------------------------------------- */

void hd_channel_waited_for(int set)
{
    struct hd_ends ends = hd_files_ends(set);

    hd_channel_nothing();
    if (ends.own != 0)
        meet(ends.own, HD_FLOW_LEARNS);
    else
        op.all = true;
}

static void watch(uint16_t number, uint16_t set)
{
    struct place *p = place_of(number);

    if (p->watcher != 0 && p->watcher != set)
        p->unclear = true;
    p->watcher = set;
}

void hd_channel_watches(int set, int fd)
{
    struct hd_ends of_set = hd_files_ends(set), ends = hd_files_ends(fd);

    if (of_set.own == 0)
        return; /* C4: unknown channel */
    hd_channel_nothing();
    if (fd >= 0 && (ends.own == 0 || place_of(ends.own)->is_set)) {
        place_of(of_set.own)->unclear = true;
    } else if (fd >= 0) { /* fd may already be ready, so the set acquires the clocks of its channels */
        meet(ends.other, HD_FLOW_LEARNS);
        meet(ends.own, HD_FLOW_LEARNS | HD_FLOW_LEARNS_ROOM);
        watch(ends.own, of_set.own);
        watch(ends.other, of_set.own);
    }
    meet(of_set.own, HD_FLOW_LEARNS | HD_FLOW_TELLS);
}

/* ---- connections ---------------------------------------------------------------------------- */

static struct {
    uint32_t epoch;
    unsigned n;
    struct connection {
        struct hd_ends ends; /* ends of the connecting socket */
        uint16_t family, port;
    } waiting[MAX_CONNECTIONS];
} connections;

/* Reads the address of the connecting end into *c.  Returns false if there is none. */
static bool address_of(int fd, bool peer, struct connection *c)
{
    struct sockaddr_in6 a = { .sin6_family = AF_UNSPEC };
    socklen_t n = sizeof a;

    if (connections.epoch != hd.epoch)
        connections.n = 0;
    connections.epoch = hd.epoch;
    if (!hd_loopback_address(fd, peer, (struct sockaddr *)&a, &n))
        return false;
    c->family = a.sin6_family;
    c->port = a.sin6_port; /* at the same offset in both families */
    return true;
}

static struct connection *find(const struct connection *like)
{
    for (unsigned i = 0; i < connections.n; i++)
        if (connections.waiting[i].family == like->family && connections.waiting[i].port == like->port)
            return &connections.waiting[i];
    return NULL;
}

/* Two connections from the same address cannot be distinguished at the accepting end (C4). */
void hd_channel_connected(int fd)
{
    struct connection c, *same;

    if (!address_of(fd, false, &c) || connections.n == MAX_CONNECTIONS)
        return;
    same = find(&c);
    if (same != NULL) {
        same->ends.own = 0;
        return;
    }
    c.ends = (struct hd_ends){ hd_files_place(fd), hd_files_new_place() };
    connections.waiting[connections.n++] = c;
    hd_files_set_ends(fd, c.ends);
    measure(fd, c.ends.own);
    hd_channel_nothing();
    meet(c.ends.own, HD_FLOW_LEARNS | HD_FLOW_TELLS);
    tell(HD_STATE_CONNECTIONS, HD_FLOW_TELLS);
}

void hd_channel_accepted(int fd)
{
    struct connection c, *there = address_of(fd, true, &c) ? find(&c) : NULL;

    op.all = op.settled = true;
    if (there == NULL)
        return;
    c = *there;
    *there = connections.waiting[--connections.n];
    if (c.ends.own == 0)
        return;
    hd_files_set_ends(fd, (struct hd_ends){ c.ends.other, c.ends.own });
    measure(fd, c.ends.other);
    hd_channel_nothing();
    meet(c.ends.own, HD_FLOW_LEARNS);
}

/* ---- timers ---------------------------------------------------------------------------------- */

/* If the channel is not known, the operation is ordered with all others (C4). */
void hd_channel_made_ready(int fd, uint64_t pc)
{
    struct hd_ends ends = hd_files_ends(fd);

    hd_channel_turn();
    hd_channel_nothing();
    if (ends.own != 0)
        tell(ends.own, HD_FLOW_TELLS);
    if (ends.own == 0 || op.all)
        hd_note(HD_EV_FENCE, NULL, HD_FENCE_EVERYBODY, pc);
    for (unsigned i = 0; i < op.n; i++)
        hd_note_channel(hd_shared_place(op.met[i].place), op.met[i].told, pc);
}

/* ---- signals --------------------------------------------------------------------------------- */

void hd_channel_signal(bool sends)
{
    hd_pending()->obj2 = hd_shared_place(HD_STATE_SIGNALS)->id; /* only reports use it */
    if (!hd_io_signals_are_inner())
        return;
    hd_channel_nothing();
    meet(HD_STATE_SIGNALS, sends ? HD_FLOW_TELLS : HD_FLOW_LEARNS);
}

/* ---- the event -------------------------------------------------------------------------------- */

/* If the operation acquires through any channel, it does so through the first one, because detect/clocks.c checks
 * only the first one for C4. */
void hd_channel_flow(uint64_t value, unsigned flags)
{
    struct hd_event *e = hd_pending();
    uint64_t pc = e->pc;
    unsigned n = op.all ? 0 : op.n;

    e->aux = op.all ? HD_FLOW_ALL : 0;
    if (n > 0) {
        e->aux = op.met[0].told;
        e->obj2 = hd_shared_place(op.met[0].place)->id;
    }
    hd_done(value, flags);
    hd_files_flow(op.all && hd_files_are_watched(), HD_FLOW_LEARNS, pc);
    for (unsigned i = 1; i < n; i++)
        hd_note_channel(hd_shared_place(op.met[i].place), op.met[i].told, pc);
    if (HD_UNLIKELY(hd.signals))
        hd_signal_take_raised(pc);
}
