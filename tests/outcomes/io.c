/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io SEED THREADS CALLS - threads that make random calls on pipes, eventfds, a pair of sockets
 * and a set of epoll's, some of which wait; perhaps forever, which is an outcome as well.  The
 * exit code is a digest of everything that the calls returned, as that of libc.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "outcomes.h"

enum { KINDS = 16, NEIGHBOURS = 8, IN = 0, OUT = 1 };

static int quick[2], slow[2], pair[2]; /* reading from the first one does not wait */
static int bell, counter, set;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int atom;

static long letter(ssize_t n, char c)
{
    return n == 1 ? c : (long)n - 1;
}

static long count(int fd)
{
    uint64_t value;

    return read(fd, &value, sizeof value) == sizeof value ? (long)value : -1;
}

static long add(int fd)
{
    const uint64_t one = 1;

    return write(fd, &one, sizeof one);
}

static long look(int ms)
{
    struct pollfd all[] = { { quick[IN], POLLIN, 0 }, { bell, POLLIN, 0 }, { pair[IN], POLLIN, 0 },
                            { slow[IN], POLLIN, 0 } };
    long result = poll(all, 4, ms);

    for (int i = 0; i < 4; i++)
        result = result * 2 + (all[i].revents != 0);
    return result;
}

static long call(unsigned me, unsigned kind)
{
    char c = (char)('a' + me);
    struct epoll_event events[4];

    switch (kind) {
    case 0: return write(quick[OUT], &c, 1);
    case 1: return letter(read(quick[IN], &c, 1), c);
    case 2: return write(slow[OUT], &c, 1);
    case 3: return letter(read(slow[IN], &c, 1), c);
    case 4: return look(0);
    case 5: return look(-1);
    case 6: return add(bell);
    case 7: return count(bell);
    case 8: return count(counter);
    case 9: return add(counter);
    case 10: return send(pair[OUT], &c, 1, 0);
    case 11: return letter(recv(pair[IN], &c, 1, MSG_DONTWAIT), c);
    case 12: return epoll_wait(set, events, 4, 0);
    case 13: pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return 1;
    case 14: return letter(recv(pair[IN], &c, 1, 0), c);
    default: return atomic_fetch_add(&atom, 1);
    }
}

static void watch(int fd)
{
    struct epoll_event e = { .events = EPOLLIN };

    if (epoll_ctl(set, EPOLL_CTL_ADD, fd, &e) != 0)
        exit(99);
}

static void prepare(void)
{
    if (pipe2(quick, O_NONBLOCK) != 0 || pipe(slow) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || write(slow[OUT], "zy", 2) != 2 ||
        write(pair[OUT], "w", 1) != 1)
        exit(99);
    bell = eventfd(0, EFD_NONBLOCK);
    counter = eventfd(1, EFD_SEMAPHORE);
    set = epoll_create1(0);
    watch(quick[IN]);
    watch(bell);
    watch(pair[IN]);
}

int main(int argc, char **argv)
{
    prepare();
    return outcome(argc, argv, call, KINDS, NEIGHBOURS, NULL);
}
