/* SPDX-License-Identifier: BSD-2-Clause
 *
 * robust_orders - two threads end with the same robust mutex.
 *
 * Claim: what the first did happens before what the second does.  True: the lock returns
 * EOWNERDEAD only after its holder has ended. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <errno.h>

static pthread_mutex_t lock;
static int n;

static void *work(void *arg)
{
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    n++;
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(n == 2);
    return 0;
}
