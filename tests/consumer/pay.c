/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pay.c - a program of its own: two threads pay into the account, as much as the
 * first argument says. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "account.h"

static int amount = 1;

static void *pay(void *unused)
{
    account_add(amount);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t other;

    if (argc > 1)
        amount = atoi(argv[1]);
    pthread_create(&other, NULL, pay, NULL);
    pay(NULL);
    pthread_join(other, NULL);
    assert(account_balance() == 2 * amount);
    return 0;
}
