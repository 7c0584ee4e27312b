/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account_fixed - account with the formula that fits what the threads do.
 *
 * Claim: when both have run, the balance is (100 + 20) - 30.  True.
 * Twin: account.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static int deposited, withdrawn;

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
    if (deposited && withdrawn)
        assert(balance == (100 + 20) - 30);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *deposit(void *arg)
{
    pthread_mutex_lock(&lock);
    balance += 20;
    deposited = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *withdraw(void *arg)
{
    pthread_mutex_lock(&lock);
    balance -= 30;
    withdrawn = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    spawn(check);
    spawn(deposit);
    spawn(withdraw);
    return 0;
}
