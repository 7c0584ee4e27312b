/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dead_stack_bug.c - a thread leaves the address of a local behind. */
#include "../litmus.h"

static int *left;

static void *worker(void *unused)
{
#ifdef FIXED
    static int local;
#else
    int local = 0;
#endif

    (void)unused;
    local = 3;
    __atomic_store_n(&left, &local, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t t = spawn(worker);

    join(t);
    return *__atomic_load_n(&left, __ATOMIC_ACQUIRE) != 3;
}
