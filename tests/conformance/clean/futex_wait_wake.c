/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_wait_wake.c - a raw futex: wait until a flag changes, wake, and EAGAIN when it
 * has changed already. */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../conform.h"

static atomic_int flag;

static void *setter(void *arg)
{
    atomic_store(&flag, 1);
    IS(syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) <= 1, 1);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);

    while (atomic_load(&flag) == 0) {
        long rc = syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);

        IS(rc == 0 || errno == EAGAIN, 1);
    }
    finish(t);
    FAILS(syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0), EAGAIN);
    IS(syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0), 0);
    return 0;
}
