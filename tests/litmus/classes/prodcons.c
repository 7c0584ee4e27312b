/* SPDX-License-Identifier: BSD-2-Clause
 *
 * prodcons N [after] - N producers and N consumers of one item each, on one condition
 * variable; the signal comes inside the lock, or after the unlock.
 *
 * Claim: no thread waits forever.  52 and 5,616 classes for N = 2 and 3 inside the lock,
 * 108 for N = 2 after it: the thread that relocks first takes the token. */
#include "classes.h"

#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static int each, items, after;

static void produce(void)
{
    pthread_mutex_lock(&mutex);
    items++;
    if (!after)
        pthread_cond_signal(&some);
    pthread_mutex_unlock(&mutex);
    if (after)
        pthread_cond_signal(&some);
}

static void consume(void)
{
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&some, &mutex);
    items--;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *arg)
{
    if (numbered(arg) < each)
        produce();
    else
        consume();
    return arg;
}

int main(int argc, char **argv)
{
    each = argument(argc, argv, 1, 2);
    after = argc > 2 && strcmp(argv[2], "after") == 0;
    run_threads(2 * each, work);
    assert(items == 0);
    return 0;
}
