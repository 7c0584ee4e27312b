/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_returns.c - main returns without joining; the bug is in the other thread, which
 * need not even have started by then.
 * Expect: assertion */
#include <assert.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    start(worker, NULL);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
