/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_exit_of_main.c - main leaves with pthread_exit; the other thread goes on, and
 * the process ends with 0 when the last one does. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void at_exit(void)
{
    IS(x, 2);
}

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    IS(atexit(at_exit), 0);
    start(worker, NULL);
    worker(NULL);
    pthread_exit(NULL);
}
