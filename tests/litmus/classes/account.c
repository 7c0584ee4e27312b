/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account - a checker, a deposit and a withdrawal, one section each.
 *
 * Claim: when both are done, the balance is right.  3! = 6 classes, all without a
 * preemption. */
#include "classes.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1, deposited, withdrawn;

static void *work(void *arg)
{
    pthread_mutex_lock(&mutex);
    switch (numbered(arg)) {
    case 0:
        if (deposited && withdrawn)
            assert(balance == 1 + 2 - 4);
        break;
    case 1:
        balance += 2;
        deposited = 1;
        break;
    default:
        balance -= 4;
        withdrawn = 1;
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    run_threads(3, work);
    return 0;
}
