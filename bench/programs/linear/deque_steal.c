/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deque_steal.c - a work-stealing deque whose owner takes the last element without a compare-and-swap: the thief
 * takes it, too.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <stdatomic.h>

static atomic_int item[8] = { 1, 2 }, top, bottom = 2;

static int take(void)
{
    int b = atomic_load(&bottom) - 1;

    atomic_store(&bottom, b);
    int t = atomic_load(&top), v = t <= b ? atomic_load(&item[b]) : 0;

    if (t < b)
        return v;
#ifdef FIXED
    if (t == b && !atomic_compare_exchange_strong(&top, &t, t + 1))
        v = 0;
    atomic_store(&bottom, b + 1);
#else
    atomic_store(&top, b + 1);
    atomic_store(&bottom, b + 1);
#endif
    return v;
}

static int steal(void)
{
    int t = atomic_load(&top);

    if (t >= atomic_load(&bottom))
        return 0;
    int v = atomic_load(&item[t]);

    return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : -1;
}

/* A thief that is beaten says so, and tries again. */
static int steal_one(void)
{
    int v;

    while ((v = steal()) < 0)
        continue;
    return v;
}

static void owner(void)
{
    heddle_op("%d", take());
    heddle_op("%d", take());
}

static void thief(void)
{
    heddle_op("%d", steal_one());
}

int main(void)
{
    heddle_clients(owner, thief);
    return 0;
}
