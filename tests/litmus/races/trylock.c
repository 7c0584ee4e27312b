/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trylock - a lock that was not got orders nothing. */
#include "races.h"

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg)
{
    pthread_mutex_lock(&m);
    PUT(x, 1);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *taster(void *arg)
{
    bool got = pthread_mutex_trylock(&m) == 0;

    if (got || is("regardless"))
        (void)GET(x);
    if (got)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, holder, taster);
}
