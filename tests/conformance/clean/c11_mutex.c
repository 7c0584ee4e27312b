/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11_mutex.c - C11 mutexes of every type: lock, trylock busy, timed lock timed out,
 * recursive. */
#include <threads.h>

#include "../conform.h"

static mtx_t plain, timed, recursive;
static int x;

static int worker(void *arg)
{
    struct timespec end = in_ms(CLOCK_REALTIME, 2);

    (void)arg;
    IS(mtx_lock(&plain), thrd_success);
    x++;
    IS(mtx_unlock(&plain), thrd_success);
    IS(mtx_trylock(&recursive), thrd_busy);
    IS(mtx_timedlock(&timed, &end), thrd_timedout);
    return 0;
}

int main(void)
{
    thrd_t t;

    IS(mtx_init(&plain, mtx_plain), thrd_success);
    IS(mtx_init(&timed, mtx_timed), thrd_success);
    IS(mtx_init(&recursive, mtx_plain | mtx_recursive), thrd_success);
    IS(mtx_lock(&recursive), thrd_success);
    IS(mtx_lock(&recursive), thrd_success);
    IS(mtx_unlock(&recursive), thrd_success);
    IS(mtx_lock(&timed), thrd_success);
    IS(thrd_create(&t, worker, NULL), thrd_success);
    IS(mtx_lock(&plain), thrd_success);
    x++;
    IS(mtx_unlock(&plain), thrd_success);
    IS(thrd_join(t, NULL), thrd_success);
    IS(mtx_unlock(&recursive), thrd_success);
    IS(mtx_unlock(&timed), thrd_success);
    IS(x, 2);
    mtx_destroy(&plain);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    return 0;
}
