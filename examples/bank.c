/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bank.c - a bank with a bug that plain runs practically never show.
 *
 * Two clerks transfer money between two accounts.  Each account has its own
 * lock, every access is locked, and yet an order of the two clerks exists in
 * which money appears from nowhere.  `make demo` lets Heddle find it; the
 * repaired program is bank_fixed.c. */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static int balance(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int amount = a->balance;
    pthread_mutex_unlock(&a->lock);
    return amount;
}

static void set_balance(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->balance = amount;
    pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, int amount)
{
    set_balance(from, balance(from) - amount); /* two critical sections, not one */
    set_balance(to, balance(to) + amount);
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
