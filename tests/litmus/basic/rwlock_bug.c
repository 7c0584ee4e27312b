/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_bug - a counter that is written under a read lock.
 *
 * Claim: both threads are counted.  False: readers do not exclude each other.
 * Twin: rwlock_fixed.c. */
#include "../litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;

static void *count(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    visible_write(counter, visible_read(counter) + 1);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(count);

    count(NULL);
    join(worker);
    assert(counter == 2);
    return 0;
}
