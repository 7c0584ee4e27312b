/* SPDX-License-Identifier: BSD-2-Clause
 *
 * robust [plain] - two threads count under a robust mutex and end with it locked.
 *
 * Claim: both counts are there, and nothing races: the lock that says EOWNERDEAD is behind all
 * that the owner did.  True.  Plain: one of them counts without the lock, which is a race. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <errno.h>

static pthread_mutex_t m;
static int n;

static void *count(void *unused)
{
    if (pthread_mutex_lock(&m) == EOWNERDEAD)
        pthread_mutex_consistent(&m);
    n++;
    return unused;
}

static void *count_plainly(void *unused)
{
    n++;
    return unused;
}

int main(int argc, char **argv)
{
    (void)argv;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_t a = spawn(count), b = spawn(argc > 1 ? count_plainly : count);

    join(a);
    join(b);
    assert(n == 2 || argc > 1);
    return 0;
}
