/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two threads exchange x and y, each in three steps: one value may be lost. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int x, y;

static void *swap(void *unused)
{
    int seen = visible_read(x);

    visible_write(x, visible_read(y));
    visible_write(y, seen);
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
