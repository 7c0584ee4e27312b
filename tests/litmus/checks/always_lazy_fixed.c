/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of always_lazy_bug: a waits for b. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int a, b;

HEDDLE_INVARIANT(a_needs_b, a == 0 || b == 1)

static void *set_a(void *other)
{
    join(*(pthread_t *)other);
    visible_write(a, 1);
    return NULL;
}

static void *set_b(void *unused)
{
    visible_write(b, 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    heddle_always(a_needs_b, 0);
    second = spawn(set_b);
    if (pthread_create(&first, NULL, set_a, &second) != 0)
        return 77;
    join(first);
}
