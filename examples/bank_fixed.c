/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bank_fixed.c - bank.c repaired: reading and writing a balance is one critical
 * section, so no update can be lost in between.  `heddle verify` shows that
 * every order of the two clerks is clean. */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void add(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, int amount)
{
    add(from, -amount);
    add(to, amount);
}

static void *clerk(void *unused)
{
    transfer(&alice, &bob, 10);
    return unused;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, clerk, NULL);
    transfer(&bob, &alice, 20);
    pthread_join(other, NULL);
    assert(alice.balance + bob.balance == 200);
    return 0;
}
