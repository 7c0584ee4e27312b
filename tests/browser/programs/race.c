/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.c - the auditor has forgotten the lock: a data race, on line 25 and line 18. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stddef.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused)
{
    pthread_setname_np(pthread_self(), "teller");
    pthread_mutex_lock(&m);
    balance += 10;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *audit(void *unused)
{
    printf("balance is %d\n", balance);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, audit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
