/* SPDX-License-Identifier: BSD-2-Clause
 *
 * restart.c - restarts of the search, for all workers at once. */
#include "runtime/core/restart.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

enum { MAX_PASSES = 16 };
#define GONE UINT64_MAX

uint32_t hd_restart_pass(void)
{
    return hd.wire->restarts;
}

void hd_restart_want(void)
{
    __atomic_store_n(&hd.wire->common->pass_wanted, hd.wire->restarts + UINT64_C(1),
                     __ATOMIC_RELEASE);
}

void hd_restart_for_wait(void)
{
    __atomic_store_n(&hd.wire->common->waits_wanted, hd.wire->restarts + UINT64_C(1), __ATOMIC_RELEASE);
}

bool hd_restart_is_for_wait(void)
{
    const struct hd_wire *w = hd.wire;

    return __atomic_load_n(&w->common->pass_wanted, __ATOMIC_ACQUIRE) <= w->restarts ||
           !hd_traits_reduces(&w->config.traits);
}

bool hd_restart_wanted(void)
{
    const struct hd_wire *w = hd.wire;

    if (w->restarts >= MAX_PASSES)
        return false;
    return __atomic_load_n(&w->common->waits_wanted, __ATOMIC_ACQUIRE) > w->restarts || !hd_restart_is_for_wait();
}

/* Returns the pass that all workers are ready to begin.  Returns GONE if a worker has ended for
 * good. */
static uint64_t agreed(const struct hd_common *c)
{
    uint64_t least = GONE, most = 0;

    for (uint32_t i = 0; i < c->nworkers; i++) {
        uint64_t at = __atomic_load_n(&c->let_go[i], __ATOMIC_ACQUIRE);

        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return most == GONE ? GONE : least;
}

static void clear_share(struct hd_common *c, uint64_t pass)
{
    bool cleared = hd_sys(SYS_madvise, c->arena.base, c->arena.size, MADV_REMOVE) == 0;

    HD_INVARIANT(cleared, "cannot clear what workers share");
    __atomic_store_n(&c->pass, pass, __ATOMIC_RELEASE);
}

bool hd_restart_together(bool (*is_over)(void))
{
    struct hd_wire *w = hd.wire;
    struct hd_common *c = w->common;
    uint64_t pass = w->restarts + UINT64_C(1);
    struct timespec t = { 0, 200000 };

    if (c->nworkers <= 1)
        return true;
    __atomic_store_n(&c->let_go[w->config.worker], pass, __ATOMIC_RELEASE);
    while (__atomic_load_n(&c->pass, __ATOMIC_ACQUIRE) < pass) {
        uint64_t all = agreed(c);

        if (all == GONE || is_over())
            return false;
        if (w->config.worker == 0 && all >= pass)
            clear_share(c, pass);
        else
            hd_sys(SYS_nanosleep, (long)&t, 0, 0);
        w->heartbeat++; /* tells the watchdog that it does not hang */
    }
    return true;
}

void hd_restart_begun(void)
{
    __atomic_store_n(&hd.wire->restarts, hd.wire->restarts + 1, __ATOMIC_RELEASE);
}

void hd_restart_gone(void)
{
    __atomic_store_n(&hd.wire->common->let_go[hd.cfg->worker], GONE, __ATOMIC_RELEASE);
}
