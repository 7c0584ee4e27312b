/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map_missing.c - a map that makes the larger table current before it has copied the entries: a get misses a key
 * that was there all the time.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <stdatomic.h>

static atomic_int table[2][2] = { { 1, 2 } }, current;

static int get(int key)
{
    return atomic_load(&table[atomic_load(&current)][key]);
}

static void resize(void)
{
#ifndef FIXED
    atomic_store(&current, 1);
#endif
    for (int i = 0; i < 2; i++)
        atomic_store(&table[1][i], atomic_load(&table[0][i]));
#ifdef FIXED
    atomic_store(&current, 1);
#endif
}

static void one(void)
{
    heddle_op("%d", get(0));
    heddle_op("%d", get(1));
}

static void two(void)
{
    heddle_op_void(resize());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", get(1));
    return 0;
}
