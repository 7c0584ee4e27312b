/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map_absent.c - a map whose put_if_absent looks first and then puts: the second value overwrites the first, and
 * both clients believe that theirs is there.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int value[2];

/* The value that is there after it. */
static int put_if_absent(int key, int v)
{
    enter();
    int there = atomic_load(&value[key]);

    if (there == 0) {
        atomic_store(&value[key], v);
        there = v;
    }
    leave();
    return there;
}

#ifdef MODEL
static int model[2];

static int spec_put_if_absent(int key, int v)
{
    return model[key] != 0 ? model[key] : (model[key] = v);
}
#define put_if_absent(key, v) (heddle_sequential() ? spec_put_if_absent(key, v) : put_if_absent(key, v))
#endif

static void one(void)
{
    heddle_op("%d", put_if_absent(0, 1));
    heddle_op("%d", put_if_absent(1, 2));
}

static void two(void)
{
    heddle_op("%d", put_if_absent(0, 3));
    heddle_op("%d", put_if_absent(1, 4));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_map("map");
    for (int i = 0; i < 2; i++)
#ifdef MODEL
        heddle_element("%d=%d", i, heddle_sequential() ? model[i] : value[i]);
#else
        heddle_element("%d=%d", i, value[i]);
#endif
    return 0;
}
