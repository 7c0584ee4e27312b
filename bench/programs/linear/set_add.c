/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set_add.c - a set that looks for an element and then adds it: two clients add the same one, and both are told
 * that it is new.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int item[8], nitems;

static int contains(int v)
{
    for (int i = 0; i < atomic_load(&nitems); i++)
        if (atomic_load(&item[i]) == v)
            return 1;
    return 0;
}

static int add(int v)
{
    enter();
    int is_new = !contains(v);

    if (is_new)
        atomic_store(&item[atomic_fetch_add(&nitems, 1)], v);
    leave();
    return is_new;
}

#ifdef MODEL
static unsigned model; /* a bit for each element */

static int spec_add(int v)
{
    int is_new = !(model >> v & 1);

    model |= 1u << v;
    return is_new;
}
#define add(v) (heddle_sequential() ? spec_add(v) : add(v))
#endif

static void one(void)
{
    heddle_op("%d", add(1));
}

static void two(void)
{
    heddle_op("%d", add(1));
    heddle_op("%d", add(2));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_multiset("set");
#ifdef MODEL
    for (int v = 0; v < 8; v++)
        if (model >> v & 1)
            heddle_element("%d", v);
#endif
    for (int i = 0; i < nitems; i++)
        heddle_element("%d", item[i]);
    return 0;
}
