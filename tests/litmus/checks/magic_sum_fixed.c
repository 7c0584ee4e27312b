/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of magic_sum_bug: taking is one operation. */
#include <heddle/heddle.h>

#include "../litmus.h"

int heddle_expected_sum = 3;
long heddle_expected_sum_minus_value = 3;
long heddle_parent, heddle_child;
int heddle_value = 3;

static long take(void)
{
    return __atomic_exchange_n(&heddle_value, 0, __ATOMIC_RELAXED);
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
