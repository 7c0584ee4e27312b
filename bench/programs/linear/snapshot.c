/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snapshot.c - a snapshot that reads the cells once: it has values that were never there together. The twin reads
 * until nothing has changed.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <stdatomic.h>

static atomic_int cell[2];

static void update(int i, int v)
{
    atomic_store(&cell[i], v);
}

static int scan(void)
{
    int a = atomic_load(&cell[0]), b = atomic_load(&cell[1]);

#ifdef FIXED
    for (;;) {
        int x = atomic_load(&cell[0]), y = atomic_load(&cell[1]);

        if (x == a && y == b)
            break;
        a = x;
        b = y;
    }
#endif
    return 10 * a + b;
}

static void one(void)
{
    heddle_op_void(update(0, 1));
    heddle_op_void(update(1, 2));
}

static void two(void)
{
    heddle_op("%d", scan());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", scan());
    return 0;
}
