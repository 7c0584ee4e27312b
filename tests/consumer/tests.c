/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tests.c - tests without a framework. */
#include <assert.h>
#include <heddle/test.h>
#include <pthread.h>

#include "account.h"

static void *pay(void *unused)
{
    account_add(1);
    return unused;
}

HEDDLE_TEST(no_payment_is_lost)
{
    pthread_t other;

    account_reset();
    pthread_create(&other, NULL, pay, NULL);
    pay(NULL);
    pthread_join(other, NULL);
    assert(account_balance() == 2);
}

HEDDLE_TEST(one_pays)
{
    account_reset();
    pay(NULL);
    assert(account_balance() == 1);
}

HEDDLE_TEST_MAIN
