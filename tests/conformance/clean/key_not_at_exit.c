/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_not_at_exit.c - exit does not destroy thread-specific values. */
#include "../conform.h"

static void never(void *value)
{
    (void)value;
    abort();
}

int main(void)
{
    pthread_key_t key;

    IS(pthread_key_create(&key, never), 0);
    IS(pthread_setspecific(key, &key), 0);
    return 0;
}
