/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map_resize.c - a map that copies its entries to a larger table: what is put into the old table after its entry
 * was copied is lost.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int table[2][4], current;

static void put(int key, int v)
{
    enter();
    atomic_store(&table[atomic_load(&current)][key], v);
    leave();
}

static void resize(void)
{
    enter();
    for (int i = 0; i < 2 && atomic_load(&current) == 0; i++) /* it grows once */
        atomic_store(&table[1][i], atomic_load(&table[0][i]));
    atomic_store(&current, 1);
    leave();
}

static void one(void)
{
    heddle_op_void(put(0, 1));
    heddle_op_void(put(1, 2));
}

static void two(void)
{
    heddle_op_void(resize());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_map("map");
    for (int i = 0; i < 2; i++)
        heddle_element("%d=%d", i, table[current][i]);
    return 0;
}
