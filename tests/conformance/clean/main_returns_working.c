/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_returns_working.c - main returns while another thread works, correctly (twin of
 * misuse/main_returns.c). */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(x <= 2, 1);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    start(worker, NULL);
    worker(NULL);
    return 0;
}
