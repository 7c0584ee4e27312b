/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One of two threads adds in an atomic section, the other one does not: that is a
 * race. */
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

static void *add_too(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_t a = spawn(add), b = spawn(add_too);

    join(a);
    join(b);
}
