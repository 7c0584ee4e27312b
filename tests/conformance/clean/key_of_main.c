/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_of_main.c - main's values are destroyed when main calls pthread_exit, before the
 * process ends. */
#include "../conform.h"

static pthread_key_t key;
static int destroyed;

static void destroy(void *value)
{
    (void)value;
    destroyed = 1;
}

static void at_exit(void)
{
    IS(destroyed, 1);
}

int main(void)
{
    IS(pthread_key_create(&key, destroy), 0);
    IS(pthread_setspecific(key, &key), 0);
    IS(atexit(at_exit), 0);
    pthread_exit(NULL);
}
