/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maximum.c - a register that keeps the largest value: a smaller one is stored after the comparison with an old
 * value.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include <stdatomic.h>

static atomic_int largest;

static void offer(int v)
{
#ifdef FIXED
    int seen = atomic_load(&largest);

    while (v > seen && !atomic_compare_exchange_strong(&largest, &seen, v))
        continue;
#else
    if (v > atomic_load(&largest))
        atomic_store(&largest, v);
#endif
}

static void one(void)
{
    heddle_op_void(offer(2));
    heddle_op_void(offer(3));
}

static void two(void)
{
    heddle_op_void(offer(5));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", atomic_load(&largest));
    return 0;
}
