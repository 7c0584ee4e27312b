/* SPDX-License-Identifier: BSD-2-Clause
 *
 * choose_too_many.c - heddle_choose with more alternatives than a schedule can record, in
 * one of the orders.
 * Expect: check-failed */
#include "../conform.h"

#include <heddle/heddle.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned alternatives = 2;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    alternatives = 65536;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    pthread_mutex_lock(&m);
    unsigned n = alternatives;

    pthread_mutex_unlock(&m);
    heddle_choose(n);
    finish(t);
    return 0;
}
