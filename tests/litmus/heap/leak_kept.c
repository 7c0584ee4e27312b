/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak_kept.c - what is left over depends on the order, but data, a list or a tagged
 * pointer leads to it. */
#include "../litmus.h"

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static uintptr_t tagged; /* a counter above, an address below */
static int turn;

static void add(int value)
{
    struct node *n = malloc(sizeof *n);

    pthread_mutex_lock(&lock);
    n->value = value;
    n->next = list;
    list = n;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    int place = __atomic_fetch_add(&turn, 1, __ATOMIC_ACQ_REL);

    (void)unused;
    for (int i = 0; i <= place; i++)
        add(i);
    tagged = (uintptr_t)malloc(8 + 16 * (size_t)place) | (uintptr_t)5 << 56;
    return NULL;
}

int main(void)
{
    pthread_t t = spawn(worker);

    __atomic_fetch_add(&turn, 1, __ATOMIC_ACQ_REL);
    join(t);
    return 0;
}
