/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of always_expr_bug. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int left = 1, right = 1;

static void *empty_left(void *unused)
{
    visible_write(left, 0);
    return unused;
}

static void *use_right(void *unused)
{
    visible_write(right, 2);
    visible_write(right, 1);
    return unused;
}

int main()
{
    static int least;

    heddle_always_expr(left + right > least);
    pthread_t a = spawn(empty_left), b = spawn(use_right);

    join(a);
    join(b);
}
