/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_unlock_not_held.c - unlocking an rwlock that no thread holds.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_unlock(&rw);
    return 0;
}
