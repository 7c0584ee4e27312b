/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_destroy_held.c - an rwlock is destroyed while a thread holds it for reading.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_destroy(&rw);
    return 0;
}
