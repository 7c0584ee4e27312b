/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The twin of atomic_bug with heddle_atomic_begin and heddle_atomic_end: the exchange is
 * one step, and the sections are nested. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int x, y;

static void *swap(void *unused)
{
    heddle_atomic_begin();
    heddle_atomic_begin();
    int seen = visible_read(x);

    visible_write(x, visible_read(y));
    visible_write(y, seen);
    heddle_atomic_end();
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    visible_write(y, 1);
    pthread_t a = spawn(swap), b = spawn(swap);

    join(a);
    join(b);
    heddle_assert(x == 0 && y == 1);
}
