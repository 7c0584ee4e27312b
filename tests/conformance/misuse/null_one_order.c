/* SPDX-License-Identifier: BSD-2-Clause
 *
 * null_one_order.c - a null pointer is followed if the reader comes before the writer.
 * Expect: crash */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *volatile shared;
static int target;

static void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    *shared = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(reader, NULL);

    pthread_mutex_lock(&m);
    shared = &target;
    pthread_mutex_unlock(&m);
    finish(t);
    return 0;
}
