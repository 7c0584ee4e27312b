/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_after_destroy.c - an rwlock is locked for reading after it was destroyed.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_destroy(&rw);
    pthread_rwlock_rdlock(&rw);
    return 0;
}
