/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter.c - a counter that loads and stores: two clients count the same step.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <stdatomic.h>

static atomic_int value;

static int increment(void)
{
#ifdef FIXED
    return atomic_fetch_add(&value, 1) + 1;
#else
    int seen = atomic_load(&value);

    atomic_store(&value, seen + 1);
    return seen + 1;
#endif
}

#ifdef MODEL
static int model;

static int spec_increment(void)
{
    return ++model;
}
#define increment() (heddle_sequential() ? spec_increment() : increment())
#endif

static void one(void)
{
    heddle_op("%d", increment());
    heddle_op("%d", increment());
}

static void two(void)
{
    heddle_op("%d", increment());
    heddle_op("%d", increment());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("value");
#ifdef MODEL
    heddle_element("%d", heddle_sequential() ? model : atomic_load(&value));
#else
    heddle_element("%d", atomic_load(&value));
#endif
    return 0;
}
