/* SPDX-License-Identifier: BSD-2-Clause
 *
 * done - a consumer looks again and again under the lock: is there work, are we done?
 *
 * fixed: the producer says so when it has put its last item.  bug: it does not when
 * the item was taken before it looks.  A second argument is the pause between two
 * looks: yield, sleep; none without it. */
#include "live.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items, taken, finished;
static const char *between = "";

static void *producer(void *arg)
{
    pthread_mutex_lock(&m);
    items++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (!is("bug") || items > 0)
        finished = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static bool look(void)
{
    bool end;

    pthread_mutex_lock(&m);
    if (items > 0) {
        items--;
        taken++;
    }
    end = finished && items == 0;
    pthread_mutex_unlock(&m);
    return end;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    between = argc > 2 ? argv[2] : "";
    pthread_t thread = spawn(producer);

    while (!look()) {
        if (strcmp(between, "yield") == 0)
            sched_yield();
        if (strcmp(between, "sleep") == 0)
            usleep(100);
    }
    join(thread);
    assert(taken == 1);
    return 0;
}
