/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thr_exit_join - a child joins main while main exits (Landslide's test, and the part of the
 * library that it is about).
 *
 * Claim: the thread that joins gets the status, and no thread runs on a stack that was freed.  A stack is a
 * block here; the exiting thread still uses it for its last call, vanish.  FREED_EARLY: a thread that joins
 * frees the stack once the thread has said that it exits, not when the kernel has seen the last
 * of it; this was the most frequent mistake.  UNLOCKED: the thread says so without the mutex,
 * between the look and the sleep of the one that joins.  NO_SIGNAL: it does not wake the one that
 * joins.  STATUS_LATE: it sets the status after it has said so. */
#include "library.h"

enum { STATUS = 7 };

struct joinable {
    struct mutex mutex;
    struct cond has_exited;
    int exits;
    int status;
    int *stack;
};

static struct joinable joined; /* thread 1, which the test calls main */

static void say_so(void)
{
#ifdef UNLOCKED
    atomic_write(joined.exits, 1);
    cond_signal(&joined.has_exited);
#else
    mutex_lock(&joined.mutex);
    atomic_write(joined.exits, 1);
#ifndef NO_SIGNAL
    cond_signal(&joined.has_exited);
#endif
    mutex_unlock(&joined.mutex);
#endif
}

static void *exits(void *arg)
{
    joined.stack[0]++;
#ifdef STATUS_LATE
    say_so();
    joined.status = STATUS;
#else
    joined.status = STATUS;
    say_so();
#endif
    joined.stack[0]++; /* calls vanish */
    return arg;
}

static int thr_join(void)
{
    int status;

    mutex_lock(&joined.mutex);
    while (!atomic_read(joined.exits))
        cond_wait(&joined.has_exited, &joined.mutex);
    mutex_unlock(&joined.mutex);
    status = joined.status;
#ifndef FREED_EARLY
    await_end(1);
#endif
    free(joined.stack);
    return status;
}

static void *joins(void *arg)
{
    assert(thr_join() == STATUS);
    return arg;
}

int main(void)
{
    begin_main();
    mutex_init(&joined.mutex);
    cond_init(&joined.has_exited);
    joined.stack = calloc(1, sizeof *joined.stack);
    assert(joined.stack);
    start(1, exits, NULL);
    start(2, joins, NULL);
    await_end(2);
#ifdef FREED_EARLY
    await_end(1);
#endif
    return 0;
}
