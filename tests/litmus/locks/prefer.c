/* SPDX-License-Identifier: BSD-2-Clause
 *
 * prefer [KIND] - main reads a read-write lock twice at once, and another thread writes.
 *
 * With the usual kind all goes well.  A lock that prefers writers (KIND: writer, static; timed
 * where the writer gives up) lets no thread read while a writer waits, not even a thread that reads
 * already: a deadlock, unless the writer gives up.  Try: the second attempt to read fails while
 * no thread writes, which the claim (an assertion) excludes. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <string.h>
#include <time.h>

static pthread_rwlock_t made, fixed = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t *lock = &made;
static bool timed;
static int writing;

static void *writer(void *unused)
{
    struct timespec late = { 2000000000, 0 };

    if (timed ? pthread_rwlock_timedwrlock(lock, &late) : pthread_rwlock_wrlock(lock))
        return unused;
    writing = 1;
    writing = 0;
    pthread_rwlock_unlock(lock);
    return unused;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    bool try = strcmp(kind, "try") == 0;
    pthread_rwlockattr_t attr;

    timed = strcmp(kind, "timed") == 0;
    pthread_rwlockattr_init(&attr);
    if (kind[0] != '\0')
        pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&made, &attr);
    if (strcmp(kind, "static") == 0)
        lock = &fixed;
    pthread_t t = spawn(writer);

    pthread_rwlock_rdlock(lock);
    int rc = try ? pthread_rwlock_tryrdlock(lock) : pthread_rwlock_rdlock(lock);

    assert(rc == 0 && writing == 0);
    pthread_rwlock_unlock(lock);
    pthread_rwlock_unlock(lock);
    join(t);
    return 0;
}
