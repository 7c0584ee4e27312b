/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_then_use - a pointer is read twice, and another thread clears it in between. */
#include "points.h"

static int value = 1;
static int *volatile pointer = &value;
shared int seen;

static void *use(void *arg)
{
    if (pointer != NULL)
        seen = *pointer;
    return arg;
}

static void *clear(void *arg)
{
    pointer = NULL;
    return arg;
}

int main(void)
{
    run_two(use, clear);
    return 0;
}
