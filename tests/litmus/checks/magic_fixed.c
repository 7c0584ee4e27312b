/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of magic_bug: adding is one operation. */
#include <heddle/heddle.h>

#include "../litmus.h"

/* Names that Heddle knows: at the end of every execution they must agree. */
int heddle_expected = 2, heddle_value;

static void *add(void *unused)
{
    __atomic_fetch_add(&heddle_value, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_detach(spawn(add));
    pthread_detach(spawn(add));
}
