/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_size.c - a queue that counts its elements after it has let go of its lock: size() may be negative.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[8], nitems;
static atomic_int count;

static void enqueue(int v)
{
    pthread_mutex_lock(&lock);
    item[nitems++] = v;
#ifdef FIXED
    count++;
#endif
    pthread_mutex_unlock(&lock);
#ifndef FIXED
    count++;
#endif
}

static int dequeue(void)
{
    int v = 0;

    pthread_mutex_lock(&lock);
    if (nitems > 0) {
        v = item[0];
        count--;
        nitems--;
        for (int i = 0; i < nitems; i++)
            item[i] = item[i + 1];
    }
    pthread_mutex_unlock(&lock);
    return v;
}

static void one(void)
{
    heddle_op_void(enqueue(1));
}

static void two(void)
{
    heddle_op("%d", dequeue());
    heddle_op("%d", atomic_load(&count));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", atomic_load(&count));
    return 0;
}
