/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account.c - account_add loses money when two of them overlap, unless FIXED is defined:
 * it reads and writes the balance in two critical sections.  (With one lock and two threads
 * of two sections each, some orders fail and some do not.) */
#include "account.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void account_reset(void)
{
    balance = 0;
}

int account_balance(void)
{
    pthread_mutex_lock(&lock);
    int amount = balance;
    pthread_mutex_unlock(&lock);
    return amount;
}

#ifdef FIXED
void account_add(int amount)
{
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
}
#else
void account_add(int amount)
{
    int seen = account_balance();

    pthread_mutex_lock(&lock);
    balance = seen + amount;
    pthread_mutex_unlock(&lock);
}
#endif
