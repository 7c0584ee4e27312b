/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_twice.c - a cache that two clients fill at the same time: it then holds the entry twice, and dropping it
 * leaves one.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int key[8], nkeys;

static int find(int k)
{
    for (int i = 0; i < atomic_load(&nkeys); i++)
        if (atomic_load(&key[i]) == k)
            return i;
    return -1;
}

static void open_table(int k)
{
    enter();
    if (find(k) < 0)
        atomic_store(&key[atomic_fetch_add(&nkeys, 1)], k);
    leave();
}

static void one(void)
{
    heddle_op_void(open_table(1));
    heddle_op_void(open_table(2));
}

static void two(void)
{
    heddle_op_void(open_table(1));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_multiset("table cache");
    for (int i = 0; i < nkeys; i++)
        heddle_element("%d", key[i]);
    return 0;
}
