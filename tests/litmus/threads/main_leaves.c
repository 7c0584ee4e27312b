/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_leaves - main leaves by pthread_exit, and the last thread ends the process.
 *
 * last: the exit handler fails if thread 1 runs it.  any: it accepts every thread. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local intptr_t me;
static const char *variant = "any";
static int entered;

static void handler(void)
{
    assert(me != 1 || strcmp(variant, "last") != 0);
}

static void *worker(void *arg)
{
    me = (intptr_t)arg;
    if (me == 2) {
        pthread_mutex_lock(&lock);
        entered++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc > 1)
        variant = argv[1];
    atexit(handler);
    for (intptr_t i = 1; i <= 2; i++)
        if (pthread_create(&thread, NULL, worker, (void *)i) != 0 || pthread_detach(thread) != 0)
            return 77;
    pthread_exit(NULL);
}
