/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_thread_order.c - main counts on a thread that a constructor has started to
 * have run already; the other order is explored too.
 * Expect: assertion */
#include <assert.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static pthread_t early;

static void *prepare(void *arg)
{
    pthread_mutex_lock(&m);
    ready = true;
    pthread_mutex_unlock(&m);
    return arg;
}

__attribute__((constructor)) static void before_main(void)
{
    pthread_create(&early, NULL, prepare, NULL);
}

int main(void)
{
    pthread_mutex_lock(&m);
    bool seen = ready;
    pthread_mutex_unlock(&m);

    finish(early);
    assert(seen);
    return 0;
}
