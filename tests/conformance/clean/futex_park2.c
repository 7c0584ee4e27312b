/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_park2.c - a loop around a futex sees a change of its word. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../conform.h"

static int w0 = 1;
static int stop;
static struct timespec ts = {0, 1000};
void *t1(void *a)
{
    __atomic_store_n(&w0, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int main(void)
{
    pthread_t a;
    w0 = 0;
    pthread_create(&a, 0, t1, 0);
    /* wait until the word is 1: EAGAIN while it differs, time-out once it is */
    while (syscall(SYS_futex, &w0, FUTEX_WAIT, 1, &ts, 0, 0) == -1 && errno == EAGAIN && !stop)
        ;
    pthread_join(a, 0);
    return 0;
}
