/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Locking inside an atomic section: where the other thread holds the mutex, the section
 * would have to wait. */
#include <heddle/heddle.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *inside(void *unused)
{
    heddle_atomic_begin();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    heddle_atomic_end();
    return unused;
}

static void *outside(void *unused)
{
    pthread_mutex_lock(&lock);
    heddle_yield();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(inside), b = spawn(outside);

    join(a);
    join(b);
}
