/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The other names: what parent and child have taken must add up to what there was. */
#include <heddle/heddle.h>

#include "../litmus.h"

int heddle_expected_sum = 3;
long heddle_expected_sum_minus_value = 3;
long heddle_parent, heddle_child;
int heddle_value = 3;

static long take(void)
{
    int seen = visible_read(heddle_value);

    visible_write(heddle_value, 0);
    return seen;
}

static void *child(void *unused)
{
    heddle_child = take();
    return unused;
}

int main(void)
{
    pthread_detach(spawn(child));
    heddle_parent = take();
}
