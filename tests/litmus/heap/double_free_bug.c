/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_free_bug.c - two threads look whether it is freed, and then free it. */
#include "../litmus.h"

static void *block;
static _Atomic(void *) shared;

static void *release(void *unused)
{
    (void)unused;
#ifdef FIXED
    free(__atomic_exchange_n((void **)&shared, NULL, __ATOMIC_ACQ_REL));
#else
    if (__atomic_load_n((void **)&shared, __ATOMIC_ACQUIRE) != NULL) {
        free(block);
        __atomic_store_n((void **)&shared, NULL, __ATOMIC_RELEASE);
    }
#endif
    return NULL;
}

int main(void)
{
    block = malloc(16);
    __atomic_store_n((void **)&shared, block, __ATOMIC_RELEASE);
    pthread_t a = spawn(release), b = spawn(release);

    join(a);
    join(b);
    return 0;
}
