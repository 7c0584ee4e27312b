/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_upgrade.c - a reader asks for the write lock without giving up its own.
 * Expect: deadlock */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_wrlock(&rw);
    return 0;
}
