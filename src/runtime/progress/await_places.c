/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await_places.c - the places of waiting loops (await.h, A3). */
#include "runtime/progress/await_places.h"

#include "model/awaits.h"
#include "runtime/core/object.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/progress/await.h"
#include "runtime/progress/liveness.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

enum { ROUND = 16 }; /* operations: longer rounds are not recognised */

uint32_t hd_await_nplaces;

static uint64_t place[HD_MAX_WAITS]; /* pcs of the places that apply */
static uint64_t applied;             /* set of their rows in hd_common.waits */
static uint64_t bloom;               /* Bloom filter of their pcs */

bool hd_may_await(enum hd_kind kind, unsigned size)
{
    bool atomic = kind == HD_EV_ATOMIC_LOAD || kind == HD_EV_ATOMIC_CAS || kind == HD_EV_ATOMIC_RMW;

    /* Each round is a step that may abort a transaction (watch/tx_conflict.h), so none can be left out. */
    if (hd.access_mode & HD_MODE_UNITS && (hd_tm_is_software(hd.cfg->tm) || hd.cfg->tm_aborts))
        return false;
    if (hd.access_mode & HD_MODE_UNITS) /* the unit in which transactions write (watch/tx_log.h) */
        return (atomic && size == HD_TX_UNIT) || hd_kind_attempts(kind);
    return (atomic && size != 0 && size <= 8) || hd_kind_attempts(kind);
}

static uint64_t bit_of(uint64_t pc)
{
    return UINT64_C(1) << (pc * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

bool hd_await_is_place(uint64_t pc)
{
    if (!(bloom & bit_of(pc)))
        return false;
    for (uint32_t i = 0; i < hd_await_nplaces; i++)
        if (place[i] == pc)
            return true;
    return false;
}

/* Returns 0 if the name, which may come from a file, is not that of a place in a module. */
static uint64_t address_of(hd_cname name)
{
    bool known = hd_cname_region(name) == HD_REG_MODULE && hd_cname_index(name) < hd.wire->nmodules;

    return known ? hd.wire->modules[hd_cname_index(name)].bias + hd_cname_offset(name) : 0;
}

void hd_await_find_places(void)
{
    const struct hd_wait_place *rows = hd.wire->common->waits;

    hd_await_nplaces = 0;
    applied = bloom = 0;
    if (!hd.cfg->awaits)
        return;
    for (uint32_t i = 0; i < HD_MAX_WAITS && __atomic_load_n(&rows[i].name, __ATOMIC_ACQUIRE) != 0; i++) {
        uint64_t from = __atomic_load_n(&rows[i].from, __ATOMIC_ACQUIRE);
        uint64_t pc = from != 0 && from <= hd_restart_pass() + UINT64_C(1) ? address_of(rows[i].name) : 0;

        if (pc == 0)
            continue;
        applied |= UINT64_C(1) << i;
        bloom |= bit_of(pc);
        place[hd_await_nplaces++] = pc;
        hd_liveness_at(pc); /* analyse the code now: later that would overwrite much of a thread's stack */
    }
}

uint64_t hd_await_places(void)
{
    return applied;
}

/* Several workers may call this concurrently.  A worker that has claimed a row may die before it
 * stores the pass; its execution is then run again and stores the same. */
HD_COLD void hd_await_found(uint64_t pc)
{
    struct hd_wait_place *rows = hd.wire->common->waits;
    hd_cname name = hd_object_name(pc);
    uint64_t pass = hd_restart_pass();

    if (!hd.cfg->awaits || hd.cfg->replay || hd_traits_samples(&hd.cfg->traits) || hd_finding_muted ||
        pass >= HD_AWAIT_LATEST_PASS || hd_cname_region(name) != HD_REG_MODULE || hd_await_is_place(pc))
        return;
    for (uint32_t i = 0; i < HD_MAX_WAITS;) {
        hd_cname other = __atomic_load_n(&rows[i].name, __ATOMIC_ACQUIRE);

        if (other != name && other != 0) {
            i++;
            continue;
        }
        if (other == 0 && !__atomic_compare_exchange_n(&rows[i].name, &other, name, false, __ATOMIC_ACQ_REL,
                                                       __ATOMIC_ACQUIRE))
            continue;
        if (__atomic_load_n(&rows[i].from, __ATOMIC_ACQUIRE) == 0)
            __atomic_store_n(&rows[i].from, pass + 2, __ATOMIC_RELEASE);
        hd_restart_for_wait();
        return;
    }
}

HD_COLD void hd_await_found_round(const struct hd_thread *t, uint32_t n)
{
    const struct hd_execution *x = hd.exec;
    uint64_t pc[ROUND];
    uint32_t k = 0;

    for (uint32_t i = x->nevents; i > 0 && k < n && k < ROUND; i--) {
        const struct hd_event *e = &x->events[i - 1];

        if (e->tid != t->tid || e->kind == HD_EV_TOUCH || hd_kind_traits[e->kind] & HD_TRAIT_YIELDS)
            continue;
        if (!hd_may_await((enum hd_kind)e->kind, 1u << (e->flags >> HD_EVF_SIZE_SHIFT)))
            return;
        pc[k++] = e->pc;
    }
    while (k > 0)
        hd_await_found(pc[--k]);
}
