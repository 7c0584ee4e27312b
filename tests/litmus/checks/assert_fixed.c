/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of assert_bug: adding is one operation. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int sum;

static void *add(void *unused)
{
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(add), b = spawn(add);

    join(a);
    join(b);
    heddle_assert(visible_read(sum) == 2);
}
