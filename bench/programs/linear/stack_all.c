/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack_all.c - a stack whose pop_all pops one element after the other: it returns elements that were never on the
 * stack together.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[8] = { 1, 2 }, nitems = 2;

static int pop_locked(void)
{
    return nitems > 0 ? item[--nitems] : 0;
}

static int pop(void)
{
    pthread_mutex_lock(&lock);
    int v = pop_locked();

    pthread_mutex_unlock(&lock);
    return v;
}

static void push(int v)
{
    pthread_mutex_lock(&lock);
    item[nitems++] = v;
    pthread_mutex_unlock(&lock);
}

/* The elements as digits. */
static int pop_all(void)
{
    int all = 0, v;

#ifdef FIXED
    pthread_mutex_lock(&lock);
    while ((v = pop_locked()) != 0)
        all = 10 * all + v;
    pthread_mutex_unlock(&lock);
#else
    while ((v = pop()) != 0)
        all = 10 * all + v;
#endif
    return all;
}

static void one(void)
{
    heddle_op("%d", pop_all());
}

static void two(void)
{
    heddle_op_void(push(3));
    heddle_op("%d", pop());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", pop());
    return 0;
}
