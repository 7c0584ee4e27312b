/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_errors.c - deleted keys are EINVAL and their destructors do not run; a key made
 * anew starts empty; there are finitely many keys. */
#include "../conform.h"

static pthread_key_t key;

static void never(void *value)
{
    (void)value;
    abort();
}

static void *worker(void *arg)
{
    IS(pthread_setspecific(key, arg), 0);
    IS(pthread_key_delete(key), 0);
    return arg;
}

int main(void)
{
    static pthread_key_t all[PTHREAD_KEYS_MAX + 1];
    int n = 0, rc;

    IS(pthread_key_create(&key, never), 0);
    finish(start(worker, &key));
    IS(pthread_key_delete(key), EINVAL);
    IS(pthread_setspecific(key, &key), EINVAL);
    IS(pthread_key_create(&key, NULL), 0);
    IS(pthread_getspecific(key) == NULL, 1);
    while ((rc = pthread_key_create(&all[n], NULL)) == 0)
        n++;
    IS(rc, EAGAIN);
    IS(n <= PTHREAD_KEYS_MAX, 1);
    while (n > 0)
        IS(pthread_key_delete(all[--n]), 0);
    return 0;
}
