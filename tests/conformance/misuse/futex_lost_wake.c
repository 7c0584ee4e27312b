/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_lost_wake.c - the waker does not change the word before it wakes, so the wake
 * can come too early.
 * Expect: deadlock */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../conform.h"

static int word;

static void *worker(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    finish(t);
    return 0;
}
