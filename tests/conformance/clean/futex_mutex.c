/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_mutex.c - a mutex of three states made of a futex excludes two threads. */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../conform.h"

static atomic_int word; /* 0 free, 1 held, 2 held and awaited */
static int x;

static void lock(void)
{
    int seen = 0;

    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *arg)
{
    lock();
    x++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
