/* SPDX-License-Identifier: BSD-2-Clause
 *
 * woken goes | is_cancelled | heir - main wakes a thread that waits for a condition and cancels it, while
 * it holds the mutex.  POSIX leaves open whether the thread goes on or is cancelled.
 *
 * Goes, is_cancelled: claimed (an assertion) is that it always goes on, or is always cancelled.  Both are
 * false.  Heir: two threads wait and one is woken; the first is cancelled.  If it was, it has not
 * consumed the wake-up, and the second one ends. */
#include "../litmus.h"

#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting;

static void unlock(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&m);
}

static void *wait_once(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, NULL);
    waiting++;
    pthread_cond_signal(&ready);
    pthread_cond_wait(&cond, &m);
    pthread_cleanup_pop(1);
    return arg;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int threads = strcmp(way, "heir") == 0 ? 2 : 1;
    pthread_t thread[2];
    void *result;

    for (int i = 0; i < threads; i++)
        thread[i] = spawn(wait_once);
    pthread_mutex_lock(&m);
    while (waiting < threads)
        pthread_cond_wait(&ready, &m);
    pthread_cond_signal(&cond);
    pthread_cancel(thread[0]);
    pthread_mutex_unlock(&m);
    pthread_join(thread[0], &result);
    assert(strcmp(way, "goes") != 0 || result != PTHREAD_CANCELED);
    assert(strcmp(way, "is_cancelled") != 0 || result == PTHREAD_CANCELED);
    if (threads == 1)
        return 0;
    if (result != PTHREAD_CANCELED)
        pthread_cond_signal(&cond);
    join(thread[1]);
    return 0;
}
