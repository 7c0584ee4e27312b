/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_assert: two threads add without a lock between reading and writing.  Both add
 * before either writes in some orders. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int sum;

static void *add(void *unused)
{
    int seen = visible_read(sum);

    visible_write(sum, seen + 1);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(add), b = spawn(add);

    join(a);
    join(b);
    heddle_assert(visible_read(sum) == 2);
}
