/* SPDX-License-Identifier: BSD-2-Clause
 *
 * accounts - an array of structures and one of pointers.  The balance is read outside the lock that guards
 * it, and the sum written back is wrong. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    int id;
    pthread_mutex_t lock;
    _Atomic long balance;
};

static struct account *accounts[4];

static struct account *account_new(int id)
{
    struct account *a = malloc(sizeof *a);

    a->id = id;
    a->balance = 100;
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

static void deposit(struct account *a, long sum)
{
    long before = a->balance;

    pthread_mutex_lock(&a->lock);
    a->balance = before + sum;
    pthread_mutex_unlock(&a->lock);
}

static void *teller(void *arg)
{
    deposit(accounts[2], 5);
    return arg;
}

int main(void)
{
    pthread_t t;

    for (int i = 0; i < 4; i++)
        accounts[i] = account_new(i);
    pthread_create(&t, NULL, teller, NULL);
    deposit(accounts[2], 7);
    pthread_join(t, NULL);
    assert(accounts[2]->balance == 112);
    return 0;
}
