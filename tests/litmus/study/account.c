/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account - a balance that one thread raises and another lowers, and a third
 * that checks it with the wrong formula (SCT study, row 3).
 *
 * Claim: when both have run, the balance is (100 - 20) - 30.  False, because the
 * deposit adds; but only a schedule in which the checker comes last sees it.
 * Nothing races: every access is under the one lock, so the points are the
 * creations, the locks and the unlocks.  No thread joins: main returns, and Heddle
 * lets the others run on.  Twin: account_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static int deposited, withdrawn;

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
    if (deposited && withdrawn)
        assert(balance == (100 - 20) - 30);
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
