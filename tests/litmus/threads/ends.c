/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ends HOW [fixed] - a thread stores x and ends; main sees x and asks whether it has ended.
 *
 * Claim (an assertion): a thread that sees what a thread did last finds it ended, or the robust mutex
 * that it holds given up.  False: between the two it still runs.  Fixed: joined first.
 *   tryjoin, timedjoin, clockjoin   the other ways to join it
 *   robust                          the mutex is tried
 *   order                           the mutex is given up, but the thread has not ended yet
 *   both                            of two such mutexes the first is free, and then the last is
 *                                   not (the kernel begins with the last, so this is true) */
#define _GNU_SOURCE
#include "../litmus.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static int x;
static bool two;
static pthread_mutex_t first, last;

static void make_robust(pthread_mutex_t *m)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(m, &attr);
}

static void *storer(void *unused)
{
    visible_write(x, 1);
    return unused;
}

static void *holder(void *unused)
{
    pthread_mutex_lock(&first);
    if (two)
        pthread_mutex_lock(&last);
    visible_write(x, 1);
    return unused;
}

static bool is_busy(pthread_mutex_t *m)
{
    int rc = pthread_mutex_trylock(m);

    if (rc == EOWNERDEAD)
        pthread_mutex_consistent(m);
    if (rc != EBUSY)
        pthread_mutex_unlock(m);
    return rc == EBUSY;
}

static bool runs_on(pthread_t t, const char *how)
{
    struct timespec late = { 2000000000, 0 };

    if (strcmp(how, "robust") == 0)
        return is_busy(&first);
    if (strcmp(how, "both") == 0) /* the one that was locked last is given up first */
        return !is_busy(&first) && is_busy(&last);
    int rc = strcmp(how, "timedjoin") == 0   ? pthread_timedjoin_np(t, NULL, &late)
             : strcmp(how, "clockjoin") == 0 ? pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &late)
                                             : pthread_tryjoin_np(t, NULL);

    if (rc == 0)
        return false;
    join(t);
    return true;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    bool fixed = argc > 2;
    bool order = strcmp(how, "order") == 0;
    bool robust = order || strcmp(how, "robust") == 0 || strcmp(how, "both") == 0;

    two = strcmp(how, "both") == 0;
    make_robust(&first);
    make_robust(&last);
    pthread_t t = spawn(robust ? holder : storer);

    if (fixed && robust && !order) {
        join(t);
        assert(!runs_on(t, how));
        return 0;
    }
    bool seen = order ? !is_busy(&first) && visible_read(x) == 1 : visible_read(x) == 1;

    if (fixed) {
        join(t);
        return 0;
    }
    bool runs = runs_on(t, how);

    assert(!(seen && runs));
    return 0;
}
