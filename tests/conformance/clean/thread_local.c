/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_local.c - thread-local variables: own copy, own address, initialiser fresh in
 * each thread; errno too. */
#include "../conform.h"

static __thread int initialised = 7;
static __thread char zero[64];
static int *address_of_main;

static void *worker(void *arg)
{
    IS(&initialised != address_of_main, 1);
    IS(initialised, 7);
    IS(zero[63], 0);
    initialised = 8;
    zero[63] = 1;
    errno = 77;
    return arg;
}

int main(void)
{
    address_of_main = &initialised;
    initialised = 6;
    errno = 55;
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    IS(initialised, 6);
    IS(zero[63], 0);
    IS(errno, 55);
    return 0;
}
