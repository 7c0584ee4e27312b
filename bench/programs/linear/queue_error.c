/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_error.c - a bounded queue that reserves a place before it looks whether there is one: another client gets
 * an error although there is room.
 *
 * Expect: error */
#include <heddle/linear.h>

#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[PLACES], nitems;
static atomic_int reserved;

/* Returns false if v is not accepted, or there is no room. */
static int offer(int v)
{
#ifdef FIXED
    if (v < 0)
        return 0;
#endif
    if (atomic_fetch_add(&reserved, 1) >= PLACES || v < 0) {
        atomic_fetch_sub(&reserved, 1);
        return 0;
    }
    pthread_mutex_lock(&lock);
    item[nitems++] = v;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void try_offer(int v)
{
    heddle_call("offer(%d)", v);
    if (offer(v))
        heddle_return("accepted");
    else
        heddle_return_error("refused");
}

static void one(void)
{
    try_offer(-1);
}

static void two(void)
{
    try_offer(2);
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("queue");
    for (int i = 0; i < nitems; i++)
        heddle_element("%d", item[i]);
    return 0;
}
