/* SPDX-License-Identifier: BSD-2-Clause
 *
 * torn_copy - a structure is copied while another thread writes it: the copy may have parts of two. */
#include "points.h"

#include <string.h>

static struct pair {
    long a, b;
} pair, copy;
shared size_t size = sizeof pair; /* not known to the compiler: it calls memcpy */

static void *write(void *arg)
{
    struct pair two = { 2, 2 };

    memcpy(&pair, &two, size);
    return arg;
}

static void *read(void *arg)
{
    memcpy(&copy, &pair, size);
    assert(copy.a == copy.b);
    return arg;
}

int main(void)
{
    run_two(write, read);
    return 0;
}
