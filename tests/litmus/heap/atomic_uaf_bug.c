/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_uaf_bug.c - an atomic counter in a block that the last but one has freed. */
#include "../litmus.h"

static int *count;

static void *release(void *unused)
{
    (void)unused;
#ifdef FIXED
    if (__atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL) == 0)
        free(count);
#else
    __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL);
    if (__atomic_load_n(count, __ATOMIC_ACQUIRE) == 0)
        free(count);
#endif
    return NULL;
}

int main(void)
{
    count = malloc(sizeof *count);
    __atomic_store_n(count, 2, __ATOMIC_RELEASE);
    pthread_t a = spawn(release), b = spawn(release);

    join(a);
    join(b);
    return 0;
}
