/* SPDX-License-Identifier: BSD-2-Clause
 *
 * place.c - finds the place of an event in the user's own source.  Debug information names the
 * callers of an inlined function.  But without optimisation std::mutex::lock is a normal function,
 * and its event is in a header that the user did not write.  Its caller is known for threads that
 * have stopped, and for past events if a replay recorded their calls or stacks. */
#include "report/evidence/place.h"

#include <string.h>

#include "report/evidence/stack.h"
#include "report/names/rust.h"

/* Returns the first of these places that is in the user's source, or 0 if none is. */
static uint64_t first_own(const struct hd_report *r, const uint64_t *pcs, unsigned n)
{
    for (unsigned i = 0; i < n && pcs[i] != 0; i++)
        if (hd_symbols_is_own(r->symbols, pcs[i]))
            return pcs[i];
    return 0;
}

static uint64_t from_trail(const struct hd_report *r, uint32_t event)
{
    const struct hd_witness *w = r->witness;
    uint32_t at = event + (r->race != NULL ? r->race->nskipped : 0);

    return w != NULL && at < w->ntrails
               ? first_own(r, w->trail[at].calls, sizeof w->trail->calls / sizeof *w->trail->calls)
               : 0;
}

static uint64_t from_capture(const struct hd_report *r, uint32_t event)
{
    const struct hd_capture *c = hd_report_witnessed(r, event);
    uint64_t pcs[HD_MAX_FRAMES];

    return c != NULL ? first_own(r, pcs, hd_stack_captured_pcs(r, c, pcs)) : 0;
}

static uint64_t from_standing(const struct hd_report *r, const struct hd_event *e)
{
    uint64_t pcs[HD_MAX_FRAMES];

    return first_own(r, pcs, hd_stack_pcs(r, (hd_tid)(e - r->pending), e->pc, pcs));
}

static bool is_past(const struct hd_report *r, const struct hd_event *e)
{
    return r->events != NULL && e >= r->events && e < r->events + r->nevents;
}

static bool is_pending(const struct hd_report *r, const struct hd_event *e)
{
    return r->pending != NULL && e >= r->pending && e < r->pending + r->npending;
}

static const struct hd_event *creation_of(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nevents; i++)
        if (r->events[i].kind == HD_EV_THREAD_CREATE && r->events[i].peer == tid)
            return &r->events[i];
    return NULL;
}

/* If a thread began to wait while another one ran, a replay has no stack of it at that event.  If it still waits
 * there, the stack at the end is used. */
static uint64_t from_wait(const struct hd_report *r, const struct hd_event *e)
{
    for (const struct hd_event *later = e + 1; later < r->events + r->nevents; later++)
        if (later->tid == e->tid)
            return 0;
    return e->tid < r->npending && r->pending[e->tid].pc == e->pc ? from_standing(r, &r->pending[e->tid]) : 0;
}

static uint64_t known_place(const struct hd_report *r, const struct hd_event *e)
{
    if (is_past(r, e)) {
        /* a trail does not contain calls into uninstrumented code */
        uint64_t pc = from_capture(r, (uint32_t)(e - r->events));

        if (pc == 0)
            pc = from_trail(r, (uint32_t)(e - r->events));
        return pc != 0 ? pc : from_wait(r, e);
    }
    return is_pending(r, e) ? from_standing(r, e) : 0;
}

/* The pc of a thread's start is the entry of its function; adding 1 makes it look like a return
 * address.  All others already are return addresses. */
static uint64_t exact_place(const struct hd_event *e)
{
    return e->pc + (e->kind == HD_EV_THREAD_START && e->pc != 0);
}

uint64_t hd_report_place(const struct hd_report *r, const struct hd_event *e)
{
    uint64_t pc = exact_place(e), own = 0;

    if (pc == 0 || hd_symbols_is_own(r->symbols, pc))
        return pc;
    if (e->kind == HD_EV_THREAD_START)
        e = creation_of(r, e->tid); /* its caller is libc: the user's code created the thread */
    if (e != NULL)
        own = hd_symbols_is_own(r->symbols, e->pc) ? e->pc : known_place(r, e);
    return own != 0 ? own : pc;
}

uint64_t hd_report_hold_place(const struct hd_report *r, const struct hd_hold *h)
{
    for (uint32_t i = r->nevents; i-- > 0 && !hd_symbols_is_own(r->symbols, h->pc);) {
        const struct hd_event *e = &r->events[i];

        if (e->tid == h->tid && e->obj == h->obj && e->pc == h->pc)
            return hd_report_place(r, e);
    }
    return h->pc;
}

uint64_t hd_report_creation_place(const struct hd_report *r, hd_tid tid)
{
    const struct hd_event *e = creation_of(r, tid);

    return e != NULL ? hd_report_place(r, e) : r->threads[tid].create_pc;
}

uint64_t hd_report_access_place(const struct hd_report *r, const struct hd_race_access *a)
{
    bool second = a->tid == r->race->race.second.tid; /* the threads always differ */
    uint64_t pcs[HD_MAX_FRAMES], own = 0;

    if (hd_symbols_is_own(r->symbols, a->pc))
        return a->pc;
    if (second)
        own = first_own(r, pcs, hd_stack_pcs(r, a->tid, a->pc, pcs));
    else if (r->witness != NULL)
        own = first_own(r, pcs, hd_stack_captured_pcs(r, &r->witness->first, pcs));
    return own != 0 ? own : a->pc;
}

/* The first address of the stack may be exact; adding 1 makes it look like a return address.  All
 * others are return addresses. */
uint64_t hd_report_failure_place(const struct hd_report *r)
{
    uint64_t pcs[HD_MAX_FRAMES];
    unsigned n = hd_stack_pcs(r, (hd_tid)r->finding->tid, r->finding->pc, pcs);
    struct hd_frame f[HD_MAX_FRAMES];

    if (hd_symbols_is_own(r->symbols, r->finding->pc))
        return r->finding->pc;
    for (unsigned i = 0; i < n; i++) {
        const struct hd_frame *own = hd_symbols_own_frame(
            f, hd_symbols_frames(r->symbols, pcs[i] + (i == 0), true, f, HD_MAX_FRAMES));

        if (own->line > 0 && !own->runtime && !hd_is_system_file(own->file))
            return pcs[i] + (i == 0);
    }
    return r->finding->pc;
}

/* True if the event is in a library's code without debug information, or in Rust's library.  The recorded
 * trails contain only the calls of instrumented code. */
static bool is_lost(const struct hd_report *r, const struct hd_event *e)
{
    struct hd_frame f;

    if (e->pc == 0 || e->kind == HD_EV_THREAD_START || e->kind == HD_EV_THREAD_END ||
        hd_symbols_is_own(r->symbols, e->pc))
        return false;
    hd_symbols_frames(r->symbols, e->pc, true, &f, 1);
    return f.line <= 0 || hd_rust_is_library_file(f.file);
}

unsigned hd_report_lost_events(const struct hd_report *r, uint32_t *out, unsigned n, unsigned max)
{
    bool whole = r->race == NULL || r->race->nskipped == 0;
    uint32_t end = r->nevents < HD_TRAILS ? r->nevents : HD_TRAILS;

    for (uint32_t i = end; whole && i-- > 0 && n < max;) {
        bool there = false;

        for (unsigned k = 0; k < n; k++)
            there |= out[k] == i;
        if (!there && is_lost(r, &r->events[i]))
            out[n++] = i;
    }
    return n;
}

bool hd_report_lacks_places(const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nevents && i < HD_TRAILS; i++)
        if (r->events[i].pc != 0 && !hd_symbols_is_own(r->symbols, exact_place(&r->events[i])))
            return true;
    return false;
}
