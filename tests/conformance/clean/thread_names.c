/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_names.c - names are set and read per thread; too long a name or buffer too
 * short is ERANGE. */
#include <string.h>

#include "../conform.h"

static void *worker(void *arg)
{
    char name[16];

    IS(pthread_setname_np(pthread_self(), "weft"), 0);
    IS(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    IS(strcmp(name, "weft"), 0);
    IS(pthread_setname_np(pthread_self(), "a name that is far too long"), ERANGE);
    IS(pthread_getname_np(pthread_self(), name, 2), ERANGE);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    char name[16];

    IS(pthread_setname_np(pthread_self(), "warp"), 0);
    finish(t);
    IS(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    IS(strcmp(name, "warp"), 0);
    return 0;
}
