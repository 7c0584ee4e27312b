/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bank.c - an atomicity violation with locks: balance and its change are two sections. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int now = balance;
    pthread_mutex_unlock(&lock);
    return now;
}

static void set(int to)
{
    pthread_mutex_lock(&lock);
    balance = to;
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *arg)
{
    int now = get();

    set(now + 10);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 120);
    return 0;
}
