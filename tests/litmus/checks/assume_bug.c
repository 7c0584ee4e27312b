/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_assume: what comes of the first reading of 0 is of no interest, what comes of
 * reading 1 is wrong. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int flag;

static void *set(void *unused)
{
    visible_write(flag, 1);
    return unused;
}

int main(void)
{
    pthread_t t = spawn(set);
    int seen = visible_read(flag);

    heddle_assume(seen == 1);
    heddle_assert(seen == 0);
    join(t);
}
