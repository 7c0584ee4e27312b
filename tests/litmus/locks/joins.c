/* SPDX-License-Identifier: BSD-2-Clause
 *
 * joins - two threads join each other; `holding`: main joins a thread that wants a
 * lock of main. */
#include "locks.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t self;

static void *one(void *arg)
{
    if (is("holding") || is("holding-fixed"))
        lock(&m), unlock(&m);
    else if (!fixed())
        pthread_join(self, NULL);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    self = pthread_self();
    if (is("holding"))
        lock(&m);
    join(spawn(one));
    if (is("holding"))
        unlock(&m);
    return 0;
}
