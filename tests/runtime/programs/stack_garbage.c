/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack_garbage.c - what an uninitialised array holds depends on nothing but the
 * thread's own history: not on other executions. */
#include <string.h>

#include "heddle/heddle.h"
#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned turns;

static __attribute__((noinline)) void look(void)
{
    volatile unsigned char garbage[6000];

    pretend_written(garbage);
    echo(digest(garbage, sizeof garbage));
}

/* Leave something on the stack that depends on the schedule. */
static __attribute__((noinline)) void spoil(unsigned what)
{
    volatile unsigned char frame[9000];

    memset((void *)frame, (int)what, sizeof frame);
    pretend_written(frame);
}

static void *worker(void *arg)
{
    look();
    pthread_mutex_lock(&mutex);
    unsigned turn = ++turns;

    pthread_mutex_unlock(&mutex);
    spoil(turn);
    return arg;
}

int main(void)
{
    pthread_t thread[3];

    look();
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    spoil(100 + heddle_choose(10));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
