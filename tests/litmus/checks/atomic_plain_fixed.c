/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plain accesses in atomic sections do not race: no two of them overlap. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int x;

static void *add(void *unused)
{
    heddle_atomic_begin();
    x++;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a = spawn(add), b = spawn(add);

    join(a);
    join(b);
    heddle_assert(x == 2);
}
