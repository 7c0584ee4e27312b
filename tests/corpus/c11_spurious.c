/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11_spurious - relies on the absence of spurious results: a weak exchange that fails (default),
 * a cnd_wait that returns (WAKE), or an mtx_trylock that fails (TRY).
 *
 * Claim: there are none.  True in every interleaving, false for C11 (7.17.7.4, 7.26.3.6, 7.26.4.5). */
#undef NDEBUG
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x;
static mtx_t lock;
static cnd_t cond;
static int ready;

static int work(void *arg)
{
    (void)arg;
#if defined WAKE
    mtx_lock(&lock);
    if (!ready)
        cnd_wait(&cond, &lock);
    assert(ready);
    mtx_unlock(&lock);
#elif defined TRY
    assert(mtx_trylock(&lock) == thrd_success);
    mtx_unlock(&lock);
#else
    int expected = 0;

    assert(atomic_compare_exchange_weak(&x, &expected, 1));
#endif
    return 0;
}

int main(void)
{
    thrd_t other;

    mtx_init(&lock, mtx_plain);
    cnd_init(&cond);
    thrd_create(&other, work, NULL);
#ifdef WAKE
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&cond);
    mtx_unlock(&lock);
#endif
    thrd_join(other, NULL);
    return 0;
}
