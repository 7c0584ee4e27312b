/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deque_ends.c - a deque with a lock for each end: with one element left, both ends give it away.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int item[4] = { 1, 2 }, first, end = 2;

static int pop_left(void)
{
    int v = 0;

    pthread_mutex_lock(&left);
    if (atomic_load(&first) < atomic_load(&end)) {
        v = item[first];
        first++;
    }
    pthread_mutex_unlock(&left);
    return v;
}

static int pop_right(void)
{
    int v = 0;

#ifdef FIXED
    pthread_mutex_lock(&left);
#endif
    pthread_mutex_lock(&right);
    if (atomic_load(&first) < atomic_load(&end)) {
        end--;
        v = item[end];
    }
    pthread_mutex_unlock(&right);
#ifdef FIXED
    pthread_mutex_unlock(&left);
#endif
    return v;
}

static void one(void)
{
    heddle_op("%d", pop_left());
    heddle_op("%d", pop_left());
}

static void two(void)
{
    heddle_op("%d", pop_right());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", pop_left());
    return 0;
}
