/* SPDX-License-Identifier: BSD-2-Clause
 *
 * volatile_flag - volatile is not atomic: the flag itself races. */
#include "races.h"

static volatile int flag;

static void *sender(void *arg)
{
    if (is("atomic"))
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    else
        flag = 1;
    return arg;
}

static void *receiver(void *arg)
{
    if (is("atomic"))
        (void)__atomic_load_n(&flag, __ATOMIC_RELAXED);
    else if (is("mixed")) /* one side atomic is not enough */
        (void)__atomic_load_n(&flag, __ATOMIC_SEQ_CST);
    else
        (void)flag;
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, sender, receiver);
}
