/* SPDX-License-Identifier: BSD-2-Clause
 *
 * halves - a plain write of 8 bytes, and plain reads of its halves: another may see one half of it only
 * in two reads, never a torn one. */
#include "points.h"

static union {
    int64_t whole;
    int32_t half[2];
} u;

static void *write(void *arg)
{
    *(volatile int64_t *)&u.whole = -1;
    return arg;
}

static void *read(void *arg)
{
    int low = *(volatile int32_t *)&u.half[0];
    int high = *(volatile int32_t *)&u.half[1];

    assert(low == high);
    return arg;
}

int main(void)
{
    run_two(write, read);
    return 0;
}
