/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue.c - a queue with a lock, for the number of executions: an operation is a call, a critical section and a return.
 * -DCLIENTS=2|3, -DOPS: operations of each. */
#include <pthread.h>

#include <heddle/linear.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[16], first, end;

static void enqueue(int v)
{
    pthread_mutex_lock(&lock);
    item[end++] = v;
    pthread_mutex_unlock(&lock);
}

static int dequeue(void)
{
    pthread_mutex_lock(&lock);
    int v = first < end ? item[first++] : 0;

    pthread_mutex_unlock(&lock);
    return v;
}

static void work(int from)
{
    for (int i = 0; i < OPS; i++)
        if (i % 2 == 0)
            heddle_op_void(enqueue(from + i));
        else
            heddle_op("%d", dequeue());
}

static void a(void)
{
    work(10);
}

static void b(void)
{
    work(20);
}

#if CLIENTS == 3
static void c(void)
{
    work(30);
}
#endif

int main(void)
{
#if CLIENTS == 3
    heddle_clients(a, b, c);
#else
    heddle_clients(a, b);
#endif
    heddle_sequence("queue");
    for (int i = first; i < end; i++)
        heddle_element("%d", item[i]);
    return 0;
}
