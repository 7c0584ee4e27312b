/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once.c - an object that is made by its first user: two clients make one each.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int made, instance;

static int get(void)
{
    enter();
    int it = atomic_load(&instance);

    if (it == 0) {
        it = atomic_fetch_add(&made, 1) + 1;
        atomic_store(&instance, it);
    }
    leave();
    return it;
}

static void one(void)
{
    heddle_op("%d", get());
}

static void two(void)
{
    heddle_op("%d", get());
    heddle_op("%d", get());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("made");
    heddle_element("%d", made);
    return 0;
}
