/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_twice.c - two threads look whether there is something to free and free it, with a
 * gap in between; free_once.c looks and takes in one step.
 * Expect: double-free */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *block;

static char *look(void)
{
    pthread_mutex_lock(&m);
    char *found = block;

    pthread_mutex_unlock(&m);
    return found;
}

static void *worker(void *arg)
{
    char *found = look();

    if (found != NULL) {
        pthread_mutex_lock(&m);
        block = NULL;
        pthread_mutex_unlock(&m);
        free(found);
    }
    return arg;
}

int main(void)
{
    block = malloc(40);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);

    finish(a);
    finish(b);
    return 0;
}
