/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals - conditions: `early`, a signal that comes before the wait is lost;
 * `stolen`, one signal for two waiters; `nested`, waiting with another lock held. No
 * circle of locks is in the first two, and a report must not tell of one. */
#include "locks.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waiter(void *arg)
{
    if (is("nested"))
        lock(&a);
    lock(&m);
    if (is("early"))
        pthread_cond_wait(&c, &m);
    else
        while (!ready)
            pthread_cond_wait(&c, &m);
    unlock(&m);
    if (is("nested"))
        unlock(&a);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    bool two = is("stolen") || is("stolen-fixed");
    pthread_t first = spawn(waiter), second = two ? spawn(waiter) : first;

    if (strstr(variant, "nested") != NULL)
        lock(&a);
    lock(&m);
    ready = true;
    if (is("stolen-fixed"))
        pthread_cond_broadcast(&c);
    else
        pthread_cond_signal(&c);
    unlock(&m);
    if (strstr(variant, "nested") != NULL)
        unlock(&a);
    join(first);
    if (two)
        join(second);
    return 0;
}
