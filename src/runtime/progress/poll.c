/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll.c - recognises threads that wait by polling.  See poll.h. */
#include "runtime/progress/poll.h"

#include "base/check.h"
#include "base/hash.h"
#include "runtime/core/entry.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/progress/await.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/lock_poll.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/policy.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "search/core/step.h"
#include "wire/wire.h"

enum { DEEP = 256 * 1024 }; /* bytes: a deeper stack is not hashed, since a recursion is not a loop */

static struct hd_poll *polls; /* by tid */
static unsigned ntracking;    /* threads whose reads are recorded */
static unsigned nheld;
static struct hd_set watching; /* threads that are held or whose reads are recorded */
static uint64_t resorts;      /* number of releases by hd_poll_release */

/* Initialised when a thread polls for the first time: most threads never do. */
static struct hd_poll *poll_of(struct hd_thread *t)
{
    struct hd_poll *p = &polls[t->tid];

    if (!t->loop.polls) {
        t->loop.polls = 1;
        p->tracking = false;
        p->anchor = 0;
        p->moves = p->since = p->stops = 0;
        p->progress = UINT64_MAX; /* so that the first visit of a site makes it the anchor */
    }
    return p;
}

void hd_poll_begin(void)
{
    if (polls == NULL)
        polls = hd_mem_map(0, HD_PAGE_CEIL(HD_MAX_THREADS * sizeof *polls), PROT_READ | PROT_WRITE);
    HD_INVARIANT(polls != NULL, "no memory for polling");
    ntracking = nheld = 0;
    hd_set_clear(&watching);
    hd.nstopped = 0;
    hd.progress = 0;
    hd.access_mode = hd.witness;
    hd.special = false;
    hd.fuel = HD_FUEL;
    hd_entry.rsp = hd_entry.frame = hd_entry.unused = 0; /* a choice, not a visit, may have ended the last execution */
    hd_await_begin();
    hd_lock_poll_begin();
    hd_poll_mode();
}

/* Writes to a location matter from the first recorded read until the thread continues. */
void hd_poll_mode(void)
{
    uint32_t polling = (ntracking > 0 || hd_await_trying ? HD_MODE_TRACK | HD_MODE_WATCH : 0) |
                       (nheld > 0 || hd_await_nwaiting > 0 ? HD_MODE_WATCH : 0) |
                       (hd_await_nplaces > 0 ? HD_MODE_TIDY | HD_MODE_WATCH : 0);

    hd.access_mode = (hd.access_mode & HD_MODE_QUIET) | polling | hd.witness;
    hd.writes = 0;
    hd_gate_special();
}

static void set_tracking(struct hd_poll *p, bool on)
{
    ntracking += (unsigned)on - (unsigned)p->tracking;
    p->tracking = on;
    hd_set_put(&watching, (unsigned)(p - polls), on || hd.thread[p - polls].loop.held);
    hd_poll_mode();
}

static void forget_reads(struct hd_poll *p)
{
    p->nreads = 0;
    p->fresh = p->torn = p->overflow = false;
}

static void take_anchor(struct hd_thread *t, struct hd_poll *p, uint64_t pc)
{
    p->anchor = pc;
    p->progress = t->progress;
    p->stores = hd.stores;
    p->visits = p->idle = p->spills = p->polls = 0;
    p->opaque = t->loop.opaque;
    p->hash = 0;
    t->loop.expected = 0;
    p->retried = false;
    if (p->tracking)
        set_tracking(p, false);
}

static bool is_instrumented(uint64_t pc)
{
    const struct hd_wire *w = hd.wire;

    for (unsigned i = 0; i < w->nmodules; i++)
        if (pc >= w->modules[i].lo && pc < w->modules[i].hi)
            return w->modules[i].instrumented != 0;
    return false;
}

/* True if the target entered the stub at pc.  For plain accesses, the hook's frame lies between, with the target's
 * saved registers. */
static bool entered_from(const struct hd_thread *t, uintptr_t sp, uint32_t words, uint64_t pc)
{
    for (uint32_t i = 0; i <= words && sp + 8 * i < t->stack_hi; i++)
        if (((const uint64_t *)sp)[i] == pc)
            return true;
    return false;
}

bool hd_poll_entry(const struct hd_thread *t, struct hd_visit *v)
{
    uintptr_t sp = hd_entry.rsp;

    if (sp < t->stack_lo || sp >= t->stack_hi || t->stack_hi - sp > DEEP || !entered_from(t, sp, hd_entry.frame, v->pc) ||
        !is_instrumented(v->pc))
        return false;
    /* each word is mixed in separately: two equal words mixed with each other would cancel out */
    uint64_t h = hd_hash_mix(hd_hash_mix(0, hd_entry.rbx), hd_entry.rbp);

    h = hd_hash_mix(hd_hash_mix(h, hd_entry.r12), hd_entry.r13);
    v->regs = hd_hash_mix(hd_hash_mix(h, hd_entry.r14), hd_entry.r15) | 1;
    v->sp = sp + hd_entry.unused;
    return true;
}

/* P1: a hash of the state that determines the thread's next actions; 0 if it is not known (the
 * operation did not come through an entry stub). */
static uint64_t state_hash(const struct hd_thread *t, uint64_t pc)
{
    struct hd_visit v = { .pc = pc };

    if (!hd_poll_entry(t, &v))
        return 0;
    return hd_hash_words(v.regs ^ t->loop.expected, (const void *)v.sp, (t->stack_hi - v.sp) / 8) | 1;
}

/* ---- locations that a thread waits for ---------------------------------------------- */

/* A parked thread waits for the locations that it read in its last round, a stopped one for all
 * that it has read. */
static bool waits_for(const struct hd_thread *t, const struct hd_poll *p,
                      const struct hd_poll_read *r)
{
    return t->loop.held == HD_HELD_BOUND || r->round == p->round;
}

typedef uint32_t __attribute__((may_alias, aligned(1))) word32;
typedef uint64_t __attribute__((may_alias, aligned(1))) word64;

/* Loads whole words instead of copying bytes, because this is the hot part. */
static uint64_t current_value(uintptr_t addr, uint8_t size)
{
    uint64_t v = 0;

    if (size == 8)
        return *(const word64 *)addr;
    if (size == 4)
        return *(const word32 *)addr;
    hd_mem_copy(&v, (const void *)addr, size);
    return v;
}

static bool changed_unseen(const struct hd_poll_read *r)
{
    return r->size != 0 && r->value != current_value(r->addr, r->size);
}

static bool may_go_on(const struct hd_thread *t, const struct hd_poll *p)
{
    for (uint32_t k = 0; k < p->nreads; k++)
        if (waits_for(t, p, &p->read[k]) && (p->read[k].stale || changed_unseen(&p->read[k])))
            return true;
    return false;
}

static bool has_read_in_round(const struct hd_poll *p)
{
    for (uint32_t k = 0; k < p->nreads; k++)
        if (p->read[k].round == p->round)
            return true;
    return false;
}

static bool knows_reads(const struct hd_poll *p)
{
    for (uint32_t k = 0; k < p->nreads; k++)
        if (p->read[k].obj != 0)
            return p->hash != 0;
    return false;
}

/* If t is held and waits for a value that it read by a plain access, notes that a plain write may release it. */
static void note_plain(const struct hd_thread *t, const struct hd_poll *p)
{
    for (uint32_t k = 0; t->loop.held && k < p->nreads; k++)
        if (p->read[k].plain && waits_for(t, p, &p->read[k]))
            hd_fact(HD_FACT_PLAIN_POLL);
}

static void hold(struct hd_thread *t, struct hd_poll *p, enum hd_loop_kind kind)
{
    enum hd_held why = (enum hd_held)hd_loop_policy[kind].held;

    if (p->tracking)
        set_tracking(p, false);
    t->loop.held = (uint8_t)why;
    nheld++;
    hd_set_add(&watching, t->tid);
    p->blind = why == HD_HELD_BOUND && !knows_reads(p);
    p->waits = false;
    note_plain(t, p);
    if (!may_go_on(t, p)) {
        if (why == HD_HELD_PARKED) {
            t->loop.parked = 1;
        } else {
            hd.nstopped++;
            t->loop.stopped = 1;
            hd_loop_cut(p->anchor, hd_loop_rounds(kind));
        }
    }
    hd_poll_mode();
}

/* P2: true if the thread must be stopped after the round that has just ended.  So must a thread that has
 * repeatedly read more locations than can be recorded: its loop may never end. */
static bool is_enough(struct hd_poll *p)
{
    p->idle = p->tracking && !p->fresh ? p->idle + 1 : 0;
    p->spills += p->tracking && p->overflow;
    return p->idle >= hd_loop_rounds(HD_LOOP_IDLE) || p->spills >= hd_loop_rounds(HD_LOOP_IDLE);
}

/* Call when the thread has returned to its anchor.  If await.h knows the operations of the round, and the thread
 * read no memory by plain accesses, await.h can handle the loop. */
static void look_for_wait(const struct hd_thread *t, const struct hd_poll *p)
{
    for (uint32_t k = 0; k < p->nreads; k++)
        if (p->read[k].round == p->round && p->read[k].obj == 0)
            return;
    if (!t->in_section && !hd.signals)
        hd_await_found_round(t, p->polls);
}

static uint32_t id_of(const struct hd_obj *o)
{
    return o != NULL ? o->id : 0;
}

/* True if a compare-and-swap has failed and the thread repeats it: the states may differ in the value that it
 * found (liveness.h).  A thread that continues at another location (in a hash table, for example) does not repeat
 * it. */
static bool tries_again(const struct hd_thread *t, const struct hd_poll *p, const struct hd_obj *o)
{
    return t->loop.opaque == p->opaque && t->loop.expected != 0 && p->anchor_obj == id_of(o) && !t->in_section &&
           !hd.signals;
}

static HD_COLD bool came_back(struct hd_thread *t, struct hd_poll *p, const struct hd_obj *o, uint64_t pc)
{
    uint64_t hash = state_hash(t, pc);
    bool opaque = t->loop.opaque != p->opaque; /* libc or the kernel may have changed its state */
    bool same = !opaque && hash != 0 && hash == p->hash && p->tracking && !p->overflow &&
                !p->torn && has_read_in_round(p);

    bool again = tries_again(t, p, o);

    p->visits = 0;
    p->opaque = t->loop.opaque;
    p->hash = hash;
    t->loop.expected = 0;
    if (same)
        look_for_wait(t, p);
    else if (again)
        hd_await_found_round(t, p->polls);
    p->polls = 0;
    /* A single thread would continue at once, so holding it gains nothing, and it would take the rest of the
     * execution out of the search (hd_point.only_waits). */
    bool enough = is_enough(p) && hd.exec->nthreads > 1;

    if (enough || same) {
        hold(t, p, same ? HD_LOOP_SAME_STATE : HD_LOOP_IDLE);
        return true;
    }
    if (!p->tracking || p->overflow) {
        forget_reads(p);
        set_tracking(p, true);
    }
    p->fresh = p->torn = false;
    p->round++;
    return false;
}

static HD_COLD void look_for_cycle(struct hd_thread *t, uint64_t pc)
{
    struct hd_visit v = { .pc = pc };

    hd_poll_entry(t, &v);
    hd_cycle_visit(t, &v);
}

/* Call when the thread has changed something since its last visit.  It may wait nevertheless (loop.h). */
static bool moved(struct hd_thread *t, struct hd_poll *p, const struct hd_obj *o, uint64_t pc)
{
    if (t->progress == p->progress && pc == p->anchor && tries_again(t, p, o))
        hd_await_found_round(t, p->polls); /* the round has changed nothing but memory (await.h, A9) */
    take_anchor(t, p, pc);
    enum hd_loop_kind kind = ++p->moves % HD_LOOP_CHECK == 0 ? hd_loop_waits(t, &p->since) : HD_LOOP_NONE;

    if (kind == HD_LOOP_NONE)
        return false;
    forget_reads(p);
    hold(t, p, kind);
    p->waits = true;
    p->needs = hd_loop_stopped(t, p->stops++);
    return true;
}

unsigned hd_poll_visit(struct hd_thread *t, enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    struct hd_poll *p = poll_of(t);
    bool held = false;
    unsigned flags = 0;

    hd_poll_let_go(t); /* the last held operation was not executed */
    if (HD_UNLIKELY(hd_await_nplaces != 0))
        flags = hd_await_visit(t, kind, o, pc);
    if (flags & HD_VISIT_AGAIN) { /* this visit has already been counted */
        hd_entry.rsp = hd_entry.frame = hd_entry.unused = 0;
        return flags;
    }
    if (HD_UNLIKELY(t->loop.cycle_wait == 0))
        look_for_cycle(t, pc);
    else
        t->loop.cycle_wait--;
    if (t->progress != p->progress || hd.stores != p->stores)
        held = moved(t, p, o, pc);
    else if (pc == p->anchor)
        held = came_back(t, p, o, pc);
    else if (++p->visits > HD_POLL_FORGET)
        take_anchor(t, p, pc);
    if (pc == p->anchor)
        p->anchor_obj = id_of(o);
    p->polls += !(hd_kind_traits[kind] & HD_TRAIT_YIELDS);
    hd_entry.rsp = hd_entry.frame = hd_entry.unused = 0; /* the registers that a stub saves are valid for one visit */
    if (flags != 0 && held)
        hd_await_forget(t);
    else if (flags != 0)
        hd_await_look(t);
    return held ? HD_EVF_HELD : flags;
}

/* ---- trials (await.h, A2) --------------------------------------------------------------- */

static struct hd_poll saved;

static void copy(struct hd_poll *to, const struct hd_poll *from)
{
    hd_mem_copy(to, from, offsetof(struct hd_poll, read) + from->nreads * sizeof from->read[0]);
}

void hd_poll_save(const struct hd_thread *t)
{
    copy(&saved, &polls[t->tid]);
}

void hd_poll_restore(const struct hd_thread *t)
{
    copy(&polls[t->tid], &saved);
}

/* ---- reads ---------------------------------------------------------------------------- */

/* Copies field by field: copying a struct that was just written would stall on store forwarding. */
static void set_read(struct hd_poll *p, struct hd_poll_read *r, uint64_t value)
{
    r->value = value;
    r->round = p->round;
    r->stale = r->plain = false;
}

static void note_read(struct hd_poll *p, uint32_t obj, uintptr_t addr, uint8_t size,
                      uint64_t value)
{
    for (uint32_t i = 0; i < p->nreads; i++) {
        struct hd_poll_read *r = &p->read[i];

        if (r->addr == addr && r->size == size && r->obj == obj) {
            p->fresh |= r->value != value;
            p->torn |= r->round == p->round && r->value != value;
            set_read(p, r, value);
            return;
        }
    }
    p->fresh = true;
    if (p->nreads == HD_POLL_READS) {
        p->overflow = true;
        return;
    }
    struct hd_poll_read *r = &p->read[p->nreads++];

    r->addr = addr;
    r->obj = obj;
    r->size = size;
    set_read(p, r, value);
}

void hd_poll_hold_for(struct hd_thread *t, uint64_t pc, const struct hd_poll_on *on, uint32_t n)
{
    struct hd_poll *p = poll_of(t);

    hd_poll_let_go(t);
    take_anchor(t, p, pc);
    forget_reads(p);
    for (uint32_t i = 0; i < n; i++) {
        note_read(p, on[i].obj, on[i].addr, 0, 0);
        p->read[i].stale = on[i].stale;
    }
    hold(t, p, HD_LOOP_SAME_STATE);
}

static void note_memory(struct hd_poll *p, uint32_t obj, uintptr_t addr, size_t size)
{
    for (; size > 8; addr += 8, size -= 8)
        note_read(p, obj, addr, 8, current_value(addr, 8));
    note_read(p, obj, addr, (uint8_t)size, current_value(addr, (uint8_t)size));
}

void hd_poll_read(uintptr_t addr, size_t size)
{
    struct hd_poll *p = poll_of(hd.cur);

    if (HD_UNLIKELY(hd_await_trying) && addr - hd.stack_lo >= hd.stack_len)
        hd_await_read();
    if (!p->tracking || addr - hd.stack_lo < hd.stack_len)
        return;
    if (size > 8 * HD_POLL_READS)
        p->overflow = true; /* too many locations */
    else
        note_memory(p, 0, addr, size);
}

static size_t size_of(const struct hd_event *e, const struct hd_obj *o)
{
    if (o->type != HD_OBJ_MEMORY)
        return 0;
    return e->kind == HD_EV_FUTEX_WAIT ? 4 : (size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT);
}

/* A futex wait also depends on wake-ups. */
static void note_event(struct hd_poll *p, const struct hd_event *e, const struct hd_obj *o)
{
    size_t size = size_of(e, o);

    if (e->kind == HD_EV_PLAIN_READ && e->obj2 != 0) { /* two objects of 4 bytes */
        note_memory(p, e->obj, o->addr, 4);
        note_memory(p, e->obj2, o->addr + 4, 4);
    } else if (size != 0)
        note_memory(p, o->id, o->addr, size);
    else
        note_read(p, o->id, o->addr, 0, e->value);
    if (e->kind == HD_EV_FUTEX_WAIT)
        note_read(p, e->obj2 + 1, o->addr, 0, 0);
}

/* ---- writes --------------------------------------------------------------------------- */

static void unpark(struct hd_thread *t)
{
    t->loop.parked = 0;
    if (t->loop.stopped) {
        t->loop.stopped = 0;
        hd.nstopped--;
    }
    hd_gate_special();
    hd_gate_reevaluate(t);
}

static bool overlaps(const struct hd_poll_read *r, uintptr_t addr, size_t size)
{
    return r->size != 0 && r->addr + r->size > addr && r->addr < addr + size;
}

/* The event e has written its object or, if e is NULL, this memory was written. */
static void mark(struct hd_thread *t, const struct hd_event *e, uintptr_t addr, size_t size)
{
    struct hd_poll *p = &polls[t->tid];
    bool waiting = false;

    for (uint32_t k = 0; k < p->nreads; k++) {
        struct hd_poll_read *r = &p->read[k];
        bool seen = e != NULL && r->obj != 0 && hd_event_changes(e, r->obj);

        if (!seen && !overlaps(r, addr, size))
            continue;
        r->stale = true;
        r->plain |= !seen;
        waiting |= waits_for(t, p, r);
    }
    note_plain(t, p);
    if (!waiting)
        return;
    p->retried = false;
    if (t->loop.held && (t->loop.parked || t->loop.stopped))
        unpark(t);
}

static void mark_others(const struct hd_thread *by, const struct hd_event *e, uintptr_t addr,
                        size_t size)
{
    HD_SET_EACH(tid, &watching)
        if (tid != by->tid)
            mark(&hd.thread[tid], e, addr, size);
}

void hd_poll_written(uintptr_t addr, size_t size)
{
    mark_others(hd.cur, NULL, addr, size);
    if (hd_await_nplaces > 0)
        hd_await_stored(addr, size);
    if (hd_await_nwaiting > 0)
        hd_await_written(hd.cur, addr, size, false);
}

static bool is_reason_enough(struct hd_poll *p, const struct hd_thread *by)
{
    if (!p->blind)
        return false;
    if (p->waits)
        return hd_loop_counts(by) && --p->needs == 0;
    hd_fact(HD_FACT_BLIND_POLL);
    return true;
}

/* P2: releases threads that wait for unknown locations. */
static void progress(const struct hd_thread *by)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];

        if (t->loop.stopped && t != by && is_reason_enough(&polls[i], by))
            unpark(t);
    }
}

/* ---- events --------------------------------------------------------------------------- */

/* The operation before which t was held has happened: records TOUCH events for what it waited for
 * (P4), and starts recording its reads. */
static HD_COLD void went_on(struct hd_thread *t, const struct hd_event *e)
{
    struct hd_poll *p = poll_of(t);

    for (uint32_t k = 0; k < p->nreads; k++) {
        const struct hd_poll_read *r = &p->read[k];
        struct hd_event touch = { .tid = t->tid, .kind = HD_EV_TOUCH, .peer = HD_NO_TID,
                                  .obj = r->obj, .pc = e->pc };

        if (r->obj != 0 && waits_for(t, p, r))
            hd_gate_record(&touch, NULL);
    }
    hd_poll_let_go(t);
    forget_reads(p);
    p->idle = p->spills = 0;
    p->round++;
    set_tracking(p, true);
}

void hd_poll_event(struct hd_thread *t, const struct hd_event *e, const struct hd_obj *o, bool poll)
{
    if (HD_UNLIKELY(hd_await_trying))
        hd_await_event(t, e);
    if (hd_kind_attempts((enum hd_kind)e->kind))
        hd_lock_poll_attempt(e);
    if (t->loop.held && (e->flags & HD_EVF_HELD))
        went_on(t, e);
    if (poll && o != NULL && t->loop.polls && polls[t->tid].tracking &&
        ((hd_kind_traits[e->kind] & HD_TRAIT_POLLS) || e->kind == HD_EV_TOUCH))
        note_event(&polls[t->tid], e, o);
    if (poll)
        return;
    if (o != NULL && hd.access_mode != 0)
        mark_others(t, e, o->addr, size_of(e, o));
    if (o != NULL && hd_await_nwaiting > 0 && size_of(e, o) != 0)
        hd_await_written(t, o->addr, size_of(e, o), e->kind != HD_EV_PLAIN_WRITE && e->kind != HD_EV_TOUCH);
    else if (hd_await_nwaiting > 0)
        hd_await_changed(e);
    if (hd.nstopped != 0)
        progress(t);
}

void hd_poll_let_go(struct hd_thread *t)
{
    if (t->loop.held == HD_HELD_NOT)
        return;
    nheld--;
    t->loop.held = HD_HELD_NOT;
    hd_set_put(&watching, t->tid, polls[t->tid].tracking);
    hd.nstopped -= t->loop.stopped;
    t->loop.parked = t->loop.stopped = 0;
    hd_poll_mode();
}

void hd_poll_forget(struct hd_thread *t)
{
    hd_await_forget(t);
    hd_poll_let_go(t);
    if (polls[t->tid].tracking)
        set_tracking(&polls[t->tid], false);
}

/* ---- for reports ----------------------------------------------------------------------- */

uint32_t hd_poll_tell(struct hd_polled *out, uint32_t cap)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        const struct hd_thread *t = &hd.thread[i];
        const struct hd_poll *p = &polls[i];

        if (!t->loop.parked)
            continue;
        if (n < cap && hd_await_tell(t, &out[n])) {
            n++;
            continue;
        }
        for (uint32_t k = 0; k < p->nreads && n < cap; k++) {
            const struct hd_poll_read *r = &p->read[k];

            if (waits_for(t, p, r))
                out[n++] = (struct hd_polled){ .tid = t->tid, .size = r->size, .obj = r->obj,
                                               .name = hd_object_name(r->addr), .value = r->value,
                                               .pc = p->anchor };
        }
    }
    return n;
}

/* ---- when no thread can run --------------------------------------------------------------- */

/* True if something may have changed without a hook seeing it.  If the round consisted of visible
 * operations only, a changed value is the only sign of a write by unseen code; otherwise the thread
 * is retried once. */
static bool may_have_changed(const struct hd_thread *t, struct hd_poll *p)
{
    if (may_go_on(t, p)) {
        hd_fact(HD_FACT_UNSEEN_WRITE);
        return true;
    }
    if (p->retried)
        return false;
    for (uint32_t k = 0; k < p->nreads; k++)
        if (waits_for(t, p, &p->read[k]) && p->read[k].obj == 0)
            return p->retried = true;
    return false;
}

void hd_poll_release_bound(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].loop.stopped)
            unpark(&hd.thread[i]);
}

bool hd_poll_release(void)
{
    bool any = hd_await_nwaiting > 0 && hd_await_release();

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        struct hd_thread *t = &hd.thread[i];

        if (!t->loop.stopped && !(t->loop.parked && t->loop.held && may_have_changed(t, &polls[i])))
            continue;
        unpark(t);
        any |= hd_set_has(&hd.point.enabled, i);
    }
    if (!any && hd_await_nwaiting > 0)
        any = hd_await_give_up();
    hd.point.last_resort = any;
    resorts += any;
    return any;
}

uint64_t hd_poll_releases(void)
{
    return resorts;
}
