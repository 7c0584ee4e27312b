/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transfer.c - accounts with a lock each: between taking money from one and giving it to the other, the total is
 * wrong.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int balance[2] = { 10, 10 };

static void transfer(int amount)
{
    pthread_mutex_lock(&lock[0]);
    balance[0] -= amount;
#ifdef FIXED
    pthread_mutex_lock(&lock[1]);
    balance[1] += amount;
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
#else
    pthread_mutex_unlock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    balance[1] += amount;
    pthread_mutex_unlock(&lock[1]);
#endif
}

static int total(void)
{
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    int sum = balance[0] + balance[1];

    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    return sum;
}

static void one(void)
{
    heddle_op_void(transfer(1));
    heddle_op_void(transfer(2));
}

static void two(void)
{
    heddle_op("%d", total());
    heddle_op("%d", total());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_map("accounts");
    for (int i = 0; i < 2; i++)
        heddle_element("%d=%d", i, balance[i]);
    return 0;
}
