/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables with names that Heddle knows, in a program that joins no thread: both threads
 * may read the same value. */
#include <heddle/heddle.h>

#include "../litmus.h"

/* Names that Heddle knows: at the end of every execution they must agree. */
int heddle_expected = 2, heddle_value;

static void *add(void *unused)
{
    int seen = visible_read(heddle_value);

    visible_write(heddle_value, seen + 1);
    return unused;
}

int main(void)
{
    pthread_detach(spawn(add));
    pthread_detach(spawn(add));
}
