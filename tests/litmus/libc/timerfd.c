/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timerfd.c - a timer that is read: a minute passes, by the program's clock, and not by ours.
 *
 *   timerfd            the clock is a minute later when it has expired
 *   timerfd absolute   the same, set to a moment
 *   timerfd early      an assertion that it takes more than a minute fails */
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "../litmus.h"

enum { MINUTE = 60 };

static int timer;

static void *waiter(void *unused)
{
    uint64_t n;

    assert(read(timer, &n, sizeof n) == sizeof n && n == 1);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    struct timespec before, after;
    struct itimerspec minute = { { 0, 0 }, { MINUTE, 0 } };
    int flags = 0;

    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (strcmp(way, "absolute") == 0) {
        minute.it_value.tv_sec += before.tv_sec;
        flags = TFD_TIMER_ABSTIME;
    }
    pthread_t thread = spawn(waiter);

    assert(timerfd_settime(timer, flags, &minute, NULL) == 0);
    join(thread);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= MINUTE - (flags != 0));
    if (strcmp(way, "early") == 0)
        assert(after.tv_sec - before.tv_sec >= 2 * MINUTE);
    return 0;
}
