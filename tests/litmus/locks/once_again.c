/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_again - the routine of pthread_once calls pthread_once. */
#include "locks.h"

static pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;

static void nothing(void)
{
}

static void routine(void)
{
    pthread_once(fixed() ? &other : &once, nothing);
}

static void *one(void *arg)
{
    pthread_once(&once, routine);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, one, one);
}
