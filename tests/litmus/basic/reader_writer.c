/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reader_writer - a reader and a writer of a read-write lock.
 *
 * Claim: the reader sees nothing half done.  The two exclude each other like two
 * sections of a mutex: 3 places of the worker's start when main writes first,
 * and 1 order when the worker reads first. */
#include "../litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *work(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(first == second);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    pthread_rwlock_wrlock(&lock);
    first = 1;
    second = 1;
    pthread_rwlock_unlock(&lock);
    join(worker);
    return 0;
}
