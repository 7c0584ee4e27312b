/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aba_bug.c - a stack of nodes from malloc: a node is read only while that is
 * announced, so no use after free; but the exchange comes after, and the address may
 * have come back. */
#include "../litmus.h"

struct node {
    struct node *next;
};

static struct node *top;
static int reading;          /* threads that look into a node */
static struct node *later[8]; /* could not be freed at once */
static int nlater;

static void push(struct node *n)
{
    struct node *old = __atomic_load_n(&top, __ATOMIC_SEQ_CST);

    do
        n->next = old;
    while (!__atomic_compare_exchange_n(&top, &old, n, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* One attempt: NULL when it was empty or another thread came in between. */
static struct node *pop(void)
{
    bool done = false;
    struct node *n, *next = NULL;

    __atomic_fetch_add(&reading, 1, __ATOMIC_SEQ_CST);
    n = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
    if (n != NULL)
        next = n->next;
    struct node *expected = n;

#ifdef FIXED
    if (n != NULL)
        done = __atomic_compare_exchange_n(&top, &expected, next, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&reading, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_fetch_sub(&reading, 1, __ATOMIC_SEQ_CST);
    if (n != NULL)
        done = __atomic_compare_exchange_n(&top, &expected, next, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
#endif
    return done ? n : NULL;
}

/* Whoever announces from now on cannot find it any more. */
static void release(struct node *n)
{
    if (n == NULL)
        return;
    if (__atomic_load_n(&reading, __ATOMIC_SEQ_CST) == 0)
        free(n);
    else
        later[nlater++] = n;
}

static struct node *taken;

static void *popper(void *unused)
{
    (void)unused;
    taken = pop();
    return NULL;
}

int main(void)
{
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
    pthread_t t = spawn(popper);
    struct node *a = pop(), *b = pop();

    release(b);
    release(a);
    push(malloc(sizeof(struct node)));
    join(t);
    free(taken);
    for (int i = 0; i < nlater; i++)
        free(later[i]);
    for (struct node *n; (n = pop()) != NULL;)
        free(n);
    return 0;
}
