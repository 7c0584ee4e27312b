/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_checked_fixed - double-checked locking with an atomic flag that is set last. */
#include "points.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
shared int value;

static void *use(void *arg)
{
    if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        if (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
            value = 7;
            __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 7);
    return arg;
}

int main(void)
{
    run_two(use, use);
    return 0;
}
