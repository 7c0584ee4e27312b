/* SPDX-License-Identifier: BSD-2-Clause
 *
 * figure24 - p: if x is 0, z = 1; q: if y is 0, x = 1; r: if z is 0, y = 1.
 *
 * Claim: none.  4 classes, and a source set of two at the start suffices where a
 * persistent set needs all three. */
#include "classes.h"

static int cell[3]; /* x, y, z */

static void *work(void *arg)
{
    int i = numbered(arg);

    if (visible_read(cell[i]) == 0)
        visible_write(cell[(i + 2) % 3], 1);
    return arg;
}

int main(void)
{
    run_threads(3, work);
    return 0;
}
