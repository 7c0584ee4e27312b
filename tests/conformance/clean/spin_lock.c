/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_lock.c - a spinlock protects a counter; no spinning is explored. */
#include "../conform.h"

static pthread_spinlock_t s;
static int x;

static void *worker(void *arg)
{
    IS(pthread_spin_lock(&s), 0);
    x++;
    IS(pthread_spin_unlock(&s), 0);
    return arg;
}

int main(void)
{
    IS(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    IS(x, 2);
    IS(pthread_spin_destroy(&s), 0);
    return 0;
}
