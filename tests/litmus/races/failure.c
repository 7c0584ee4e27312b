/* SPDX-License-Identifier: BSD-2-Clause
 *
 * failure - a compare-and-exchange that fails is a load, of its failure order. */
#include "races.h"

static int data, flag;

static void *sender(void *arg)
{
    PUT(data, 1);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return arg;
}

static bool arrived(void)
{
    int zero = 0;

    if (is("acquire"))
        return !__atomic_compare_exchange_n(&flag, &zero, 0, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE);
    return !__atomic_compare_exchange_n(&flag, &zero, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void *receiver(void *arg)
{
    if (arrived())
        (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, sender, receiver);
}
