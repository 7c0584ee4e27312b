/* SPDX-License-Identifier: BSD-2-Clause
 *
 * identity.c - a program with many threads says again who it is, as servers do. */
#include <assert.h>
#include <grp.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_lock(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    gid_t groups[64];
    int n = getgroups(64, groups);

    pthread_mutex_lock(&lock);
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&t[i], NULL, wait_for_lock, NULL) == 0);
    assert(setgid(getgid()) == 0 && seteuid(geteuid()) == 0 && setuid(getuid()) == 0);
    assert(getuid() != 0 || setgroups((size_t)n, groups) == 0);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
