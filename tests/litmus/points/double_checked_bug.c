/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_checked_bug - double-checked locking with a plain flag that is set too early: a thread that sees it does not see
 * the value. */
#include "points.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
shared int ready;
shared int value;

static void *use(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            ready = 1;
            value = 7;
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
