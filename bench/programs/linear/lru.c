/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lru.c - a cache that evicts the entry used longest ago: a get finds an entry and marks it as used after another
 * client has evicted it, and the mark then belongs to the new one.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

/* two places; the one with the smaller time is evicted next */
static atomic_int key[2] = { 1, 2 }, used[2] = { 1, 2 };

static int get(int k)
{
    int hit = 0;

    enter();
    for (int i = 0; i < 2 && !hit; i++)
        if (atomic_load(&key[i]) == k) {
            atomic_store(&used[i], 100 + k);
            hit = 1;
        }
    leave();
    return hit;
}

static void put(int k)
{
    enter();
    int oldest = atomic_load(&used[0]) < atomic_load(&used[1]) ? 0 : 1;

    atomic_store(&key[oldest], k);
    atomic_store(&used[oldest], 10 + k);
    leave();
}

static void one(void)
{
    heddle_op("%d", get(1));
}

static void two(void)
{
    heddle_op_void(put(3));
    heddle_op_void(put(4));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_map("cache");
    for (int i = 0; i < 2; i++)
        heddle_element("%d=%d", key[i], used[i]);
    return 0;
}
