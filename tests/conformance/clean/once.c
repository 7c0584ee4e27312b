/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once.c - two threads and one pthread_once: it runs once, and who returns sees its
 * effect. */
#include "../conform.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void init(void)
{
    runs++;
}

static void *worker(void *arg)
{
    IS(pthread_once(&once, init), 0);
    IS(runs, 1);
    return arg;
}

int main(void)
{
    pthread_t a = start(worker, NULL), b = start(worker, NULL);

    worker(NULL);
    finish(a);
    finish(b);
    return 0;
}
