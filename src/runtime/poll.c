/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll.c - recognising threads that wait by polling.  See poll.h. */
#include "runtime/poll.h"

#include "runtime/gate.h"
#include "runtime/mem.h"

enum { MODE_TRACK = 1, MODE_WATCH = 2 };
enum { FORGET_AFTER = 64 }; /* visits of other sites until a new anchor is taken */

static struct hd_poll *polls; /* by tid */
static unsigned ntracking;    /* threads whose reads are being noted */

/* Set up when a thread polls for the first time: most never do. */
static struct hd_poll *poll_of(struct hd_thread *t)
{
    struct hd_poll *p = &polls[t->tid];

    if (!t->polls) {
        t->polls = 1;
        p->tracking = false;
        p->anchor = 0;
        p->progress = UINT64_MAX; /* the first visit takes an anchor */
    }
    return p;
}

void hd_poll_begin(void)
{
    if (polls == NULL)
        polls = hd_mem_map(0, HD_PAGE_CEIL(HD_MAX_THREADS * sizeof *polls), PROT_READ | PROT_WRITE);
    HD_INVARIANT(polls != NULL, "no memory for polling");
    ntracking = 0;
    hd.nparked = hd.nloop_wait = 0;
    hd.progress = 0;
    hd.access_mode = 0;
    hd.special = false;
    hd.fuel = HD_FUEL;
}

/* Writes are of interest from the first read that is noted, not only once the
 * thread is parked. */
static void set_mode(void)
{
    hd.access_mode = (ntracking > 0 ? MODE_TRACK | MODE_WATCH : 0) | (hd.nparked > 0 ? MODE_WATCH : 0);
    hd_gate_special();
}

static void set_tracking(struct hd_poll *p, bool on)
{
    ntracking += (unsigned)on - (unsigned)p->tracking;
    p->tracking = on;
    p->stale = false;
    p->nreads = 0;
    set_mode();
}

static void take_anchor(struct hd_thread *t, struct hd_poll *p, uint64_t pc)
{
    p->anchor = pc;
    p->progress = t->progress;
    p->stores = hd.stores;
    p->foreign = hd.progress - t->progress;
    p->visits = p->rounds = p->idle = 0;
    p->opaque = t->opaque;
    p->retried = false;
    if (p->tracking)
        set_tracking(p, false);
    hd_entry.rsp = 0;
}

static bool is_instrumented(uint64_t pc)
{
    const struct hd_wire *w = hd.wire;

    for (unsigned i = 0; i < w->nmodules; i++)
        if (pc >= w->modules[i].lo && pc < w->modules[i].hi)
            return w->modules[i].instrumented != 0;
    return false;
}

/* P1: the state that decides what the thread does next, 0 when it is not known
 * (the operation did not come through an entry stub). */
static uint64_t state_hash(const struct hd_thread *t, uint64_t pc)
{
    uintptr_t sp = hd_entry.rsp;

    hd_entry.rsp = 0; /* one stub, one visit */
    if (sp < t->stack_lo || sp >= t->stack_hi || *(uint64_t *)sp != pc || !is_instrumented(pc))
        return 0;
    uint64_t h = hd_hash_mix(hd_entry.rbx, hd_entry.rbp);

    h = hd_hash_mix(hd_hash_mix(h, hd_entry.r12), hd_entry.r13);
    h = hd_hash_mix(hd_hash_mix(h, hd_entry.r14), hd_entry.r15);
    return hd_hash_bytes(h, (const void *)sp, t->stack_hi - sp) | 1;
}

static void park(struct hd_thread *t, struct hd_poll *p)
{
    uint32_t nreads = p->nreads;

    set_tracking(p, false);
    p->nreads = nreads; /* what it waits for */
    hd.nparked += !t->parked;
    t->parked = 1;
    set_mode();
}

static uint64_t current_value(uintptr_t addr, uint8_t size)
{
    uint64_t v = 0;

    hd_mem_copy(&v, (const void *)addr, size);
    return v;
}

static bool changed_unseen(const struct hd_poll *p)
{
    for (uint32_t k = 0; k < p->nreads; k++)
        if (p->value[k] != current_value(p->addr[k], p->size[k]))
            return true;
    return false;
}

static void count_idle_round(struct hd_thread *t, struct hd_poll *p)
{
    uint64_t foreign = hd.progress - t->progress;

    p->idle = foreign == p->foreign ? p->idle + 1 : 0;
    p->foreign = foreign;
    if (p->idle < hd.cfg->loop_bound)
        return;
    p->idle = 0;
    hd.nloop_wait += !t->loop_wait;
    t->loop_wait = 1;
    hd_gate_special();
    hd.exec->loop_cuts++;
}

static HD_COLD void came_back(struct hd_thread *t, struct hd_poll *p, uint64_t pc)
{
    uint64_t hash = state_hash(t, pc);

    p->visits = 0;
    bool opaque = t->opaque != p->opaque; /* libc or the kernel may have changed its state */

    p->opaque = t->opaque;
    if (p->rounds++ > 0 && !opaque && hash != 0 && hash == p->hash && p->tracking && p->nreads > 0 &&
        p->nreads <= HD_POLL_READS && !p->stale && !changed_unseen(p)) {
        park(t, p);
        p->rounds = 0;
        return;
    }
    p->hash = hash;
    set_tracking(p, hash != 0);
    count_idle_round(t, p);
}

void hd_poll_visit(struct hd_thread *t, uint64_t pc)
{
    struct hd_poll *p = poll_of(t);

    if (t->progress != p->progress || hd.stores != p->stores)
        take_anchor(t, p, pc);
    else if (pc == p->anchor)
        came_back(t, p, pc);
    else if (++p->visits > FORGET_AFTER)
        take_anchor(t, p, pc);
}

static void note_read(struct hd_poll *p, uintptr_t addr, uint8_t size)
{
    for (uint32_t i = 0; i < p->nreads && i < HD_POLL_READS; i++)
        if (p->addr[i] == addr && p->size[i] == size)
            return;
    if (p->nreads < HD_POLL_READS) {
        p->addr[p->nreads] = addr;
        p->size[p->nreads] = size;
        p->value[p->nreads] = current_value(addr, size);
    }
    p->nreads++;
}

void hd_poll_read(uintptr_t addr, size_t size)
{
    struct hd_poll *p = poll_of(hd.cur);

    if (!p->tracking || addr - hd.stack_lo < hd.stack_len)
        return;
    if (size > 8 * HD_POLL_READS)
        p->nreads = HD_POLL_READS + 1; /* too much to watch */
    for (; size > 8 && p->nreads <= HD_POLL_READS; addr += 8, size -= 8)
        note_read(p, addr, 8);
    note_read(p, addr, (uint8_t)(size < 8 ? size : 8));
}

static void unpark(struct hd_thread *t)
{
    hd_poll_let_go(t);
    hd_gate_reevaluate(t);
}

static bool has_read(const struct hd_poll *p, uintptr_t addr, size_t size)
{
    for (uint32_t k = 0; k < p->nreads && k < HD_POLL_READS; k++)
        if (p->addr[k] + 8 > addr && p->addr[k] < addr + size)
            return true;
    return false;
}

void hd_poll_written(uintptr_t addr, size_t size)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_poll *p = &polls[i];

        if (!hd.thread[i].polls || (!hd.thread[i].parked && !p->tracking) ||
            !has_read(p, addr, size))
            continue;
        p->stale = true;
        p->retried = false;
        if (hd.thread[i].parked)
            unpark(&hd.thread[i]);
    }
}

void hd_poll_changed(const struct hd_obj *o, struct hd_thread *by)
{
    if (hd.access_mode != 0)
        hd_poll_written(o->addr, 8);
    if (hd.nloop_wait != 0)
        hd_poll_progress(by);
}

void hd_poll_let_go(struct hd_thread *t)
{
    if (t->parked) {
        t->parked = 0;
        hd.nparked--;
        set_mode();
    }
    if (t->loop_wait) {
        t->loop_wait = 0;
        hd.nloop_wait--;
        hd_gate_special();
    }
}

void hd_poll_progress(struct hd_thread *by)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];

        if (!t->loop_wait || t == by)
            continue;
        t->loop_wait = 0;
        hd.nloop_wait--;
        hd_gate_special();
        hd_gate_reevaluate(t);
    }
}

void hd_poll_forget(struct hd_thread *t)
{
    struct hd_poll *p = &polls[t->tid];

    if (!t->polls)
        return;
    if (p->tracking)
        set_tracking(p, false);
}

bool hd_poll_release(void)
{
    bool any = false;

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];

        if (t->parked && (changed_unseen(&polls[i]) || !polls[i].retried)) {
            /* Once more round, for what no hook has seen; a livelock parks it again. */
            polls[i].retried = true;
            unpark(t);
            any |= hd_set_has(&hd.point.enabled, i);
        } else if (t->loop_wait) {
            t->loop_wait = 0;
            hd.nloop_wait--;
            hd_gate_special();
            hd_gate_reevaluate(t);
            any |= hd_set_has(&hd.point.enabled, i);
        }
    }
    return any;
}

void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.cur == NULL) {
        hd.fuel = HD_FUEL;
        return;
    }
    if (write && (hd.access_mode & MODE_WATCH))
        hd_poll_written(addr, size);
    if (!write && (hd.access_mode & MODE_TRACK))
        hd_poll_read(addr, size);
    if (hd.fuel < 0) {
        hd.fuel = HD_FUEL;
        hd_op_local(HD_EV_YIELD, pc);
        hd_done(0, 0);
        hd.fuel = HD_FUEL >> 4; /* once it spins, look more often */
    }
}
