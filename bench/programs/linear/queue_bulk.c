/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_bulk.c - a queue whose bulk operation enqueues one element after the other: another one comes in between.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[8], nitems;

static void enqueue(int v)
{
    pthread_mutex_lock(&lock);
    item[nitems++] = v;
    pthread_mutex_unlock(&lock);
}

static void enqueue_all(int a, int b)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    item[nitems++] = a;
    item[nitems++] = b;
    pthread_mutex_unlock(&lock);
#else
    enqueue(a);
    enqueue(b);
#endif
}

static void one(void)
{
    heddle_op_void(enqueue_all(1, 2));
}

static void two(void)
{
    heddle_op_void(enqueue(3));
    heddle_op_void(enqueue(4));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("queue");
    for (int i = 0; i < nitems; i++)
        heddle_element("%d", item[i]);
    return 0;
}
