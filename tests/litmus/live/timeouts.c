/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timeouts - main waits with a time-out, in a loop, until a flag is up.
 *
 * fixed: the worker raises it.  bug: only when main does not wait yet. */
#include <time.h>

#include "live.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int up, waiting;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (!is("bug") || !waiting)
        up = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    struct timespec soon = { 1, 0 };

    take_variant(argc, argv);
    pthread_t thread = spawn(worker);

    pthread_mutex_lock(&m);
    while (!up) {
        waiting = 1;
        pthread_cond_timedwait(&c, &m, &soon);
    }
    pthread_mutex_unlock(&m);
    join(thread);
    return 0;
}
