/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11_condition.c - C11 conditions: wait and signal, broadcast, timed wait. */
#include <threads.h>

#include "../conform.h"

static mtx_t m;
static cnd_t c;
static int turn;

static int worker(void *arg)
{
    (void)arg;
    IS(mtx_lock(&m), thrd_success);
    turn = 1;
    IS(cnd_broadcast(&c), thrd_success);
    while (turn != 2)
        IS(cnd_wait(&c, &m), thrd_success);
    IS(mtx_unlock(&m), thrd_success);
    return 0;
}

int main(void)
{
    struct timespec end;
    thrd_t t;

    IS(mtx_init(&m, mtx_plain), thrd_success);
    IS(cnd_init(&c), thrd_success);
    IS(thrd_create(&t, worker, NULL), thrd_success);
    IS(mtx_lock(&m), thrd_success);
    while (turn != 1)
        IS(cnd_wait(&c, &m), thrd_success);
    turn = 2;
    IS(cnd_signal(&c), thrd_success);
    IS(mtx_unlock(&m), thrd_success);
    IS(thrd_join(t, NULL), thrd_success);
    IS(mtx_lock(&m), thrd_success);
    end = in_ms(CLOCK_REALTIME, 2);
    int rc = cnd_timedwait(&c, &m, &end);
    IS(rc == thrd_timedout || rc == thrd_success, 1);
    IS(mtx_unlock(&m), thrd_success);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
