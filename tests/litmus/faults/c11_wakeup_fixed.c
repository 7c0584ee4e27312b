/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of c11_wakeup_bug. */
#include <threads.h>

#include "../litmus.h"

static mtx_t lock;
static cnd_t ready;
static bool done;

static int wait(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    while (!done)
        cnd_wait(&ready, &lock);
    assert(done);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;

    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    if (thrd_create(&t, wait, NULL) != thrd_success)
        return 77;
    mtx_lock(&lock);
    done = true;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    thrd_join(t, NULL);
}
