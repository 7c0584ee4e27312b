/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leave.c - pthread_exit in a thread and in main; with the argument "late", for
 * the first time after hundreds of executions. */
#include <string.h>

#include "heddle/heddle.h"
#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static int cleaned;

static void clean_up(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    cleaned++;
    pthread_mutex_unlock(&mutex);
}

static __attribute__((noinline)) void leave_from_below(int depth)
{
    volatile char frame[200];

    frame[depth] = 1;
    if (depth == 0)
        pthread_exit((void *)99);
    leave_from_below(depth - 1);
    assert(frame[depth] == 2); /* never reached */
}

static void *leaver(void *arg)
{
    pthread_cleanup_push(clean_up, NULL);
    leave_from_below(10);
    pthread_cleanup_pop(0);
    return arg;
}

static void *last(void *arg)
{
    void *value = NULL;

    pthread_join(first, &value);
    assert(value == (void *)99 && cleaned == 1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    assert(cleaned == 0);
    if (argc > 1 && strcmp(argv[1], "late") == 0 && heddle_choose(500) != 123)
        return 0;
    pthread_create(&first, NULL, leaver, NULL);
    pthread_create(&thread, NULL, last, NULL);
    pthread_exit(NULL);
}
