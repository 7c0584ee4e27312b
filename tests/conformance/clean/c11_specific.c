/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11_specific.c - C11 thread-specific storage with destructors, and call_once. */
#include <threads.h>

#include "../conform.h"

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int created, destroyed;

static void destroy(void *value)
{
    *(int *)value += 1;
}

static void create(void)
{
    created++;
    IS(tss_create(&key, destroy), thrd_success);
}

static int worker(void *arg)
{
    call_once(&once, create);
    IS(created, 1);
    IS(tss_get(key) == NULL, 1);
    IS(tss_set(key, arg), thrd_success);
    IS(tss_get(key) == arg, 1);
    return 0;
}

int main(void)
{
    int by_main = 0;
    thrd_t t;

    IS(thrd_create(&t, worker, &destroyed), thrd_success);
    worker(&by_main);
    IS(thrd_join(t, NULL), thrd_success);
    IS(destroyed, 1);
    IS(by_main, 0);
    tss_delete(key);
    return 0;
}
