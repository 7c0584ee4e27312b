/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set_list.c - a sorted list that finds the place without locks and then inserts there with a lock: if the node
 * before it was removed meanwhile, the new one is lost. The twin looks again.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 8, END = -1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value[NODES] = { 0, 2 }, next[NODES] = { 1, END };

static int before(int v)
{
    int at = 0, n;

    while ((n = atomic_load(&next[at])) != END && atomic_load(&value[n]) < v)
        at = n;
    return at;
}

static void insert(int node, int v)
{
    int at = before(v);

    pthread_mutex_lock(&lock);
#ifdef FIXED
    at = before(v);
#endif
    value[node] = v;
    next[node] = next[at];
    next[at] = node;
    pthread_mutex_unlock(&lock);
}

static int take_out(int v)
{
    pthread_mutex_lock(&lock);
    int at = before(v), n = next[at], found = n != END && value[n] == v;

    if (found)
        next[at] = next[n];
    pthread_mutex_unlock(&lock);
    return found;
}

static void one(void)
{
    heddle_op_void(insert(2, 3));
    heddle_op_void(insert(3, 4));
}

static void two(void)
{
    heddle_op("%d", take_out(2));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("list");
    for (int n = next[0]; n != END; n = next[n])
        heddle_element("%d", value[n]);
    return 0;
}
