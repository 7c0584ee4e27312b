/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_stale.c - a cache before a store: a reader loads the old value, the writer stores a new one and drops the
 * entry, and the reader then enters the old value. The results are right; a later reader gets a wrong one.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int store = 1, cached;

static int get(void)
{
    enter();
    int v = atomic_load(&cached);

    if (v == 0) {
        v = atomic_load(&store);
        atomic_store(&cached, v);
    }
    leave();
    return v;
}

static void put(int v)
{
    enter();
    atomic_store(&store, v);
    atomic_store(&cached, 0);
    leave();
}

static void one(void)
{
    heddle_op("%d", get());
}

static void two(void)
{
    heddle_op_void(put(2));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("store");
    heddle_element("%d", store);
    heddle_op("%d", get()); /* the request that notices it */
    return 0;
}
