/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sections.c - tracks which thread holds which lazy mutex.  Makes no libc calls. */
#include "search/por/sections.h"

#include "model/automaton.h"
#include "model/awaits.h"
#include "model/lock.h"
#include "model/object.h"

/* The latest section of a mutex; valid if `stamp` is the current one. */
struct hd_section_last {
    uint32_t stamp;
    uint32_t step;
};

void hd_sections_init(struct hd_sections *c, struct hd_arena *arena, struct hd_learnt *learnt)
{
    c->learnt = learnt;
    if (c->last != NULL)
        return;
    c->ordinary = hd_arena_alloc(arena, HD_SECTIONS_OBJECTS / 8);
    c->begun = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *c->begun);
    c->last = hd_arena_alloc(arena, HD_SECTIONS_OBJECTS * sizeof *c->last);
}

static bool is_ordinary(const struct hd_sections *c, uint32_t obj)
{
    if (c->learnt != NULL)
        return hd_learnt_is_ordinary(c->learnt, obj);
    return obj >= HD_SECTIONS_OBJECTS || c->ordinary[obj / 64] >> (obj % 64) & 1;
}

/* True for the operations with which an ordinary critical section begins (a lock that waits) and ends (an
 * unlock). */
static bool is_section(unsigned kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    return k->obj == HD_OBJ_MUTEX && k->lock != HD_LOCK_NONE && !(k->traits & HD_TRAIT_POLLS) &&
           kind != HD_EV_MUTEX_ABANDON;
}

uint32_t hd_sections_lazy(const struct hd_sections *c, const struct hd_event *e)
{
    return is_section(e->kind) && !is_ordinary(c, e->obj) ? e->obj : 0;
}

static bool note_ordinary(struct hd_sections *c, const struct hd_event *e)
{
    bool odd = hd_kind_info[e->kind].obj == HD_OBJ_MUTEX && !is_section(e->kind) && e->kind != HD_EV_MUTEX_INIT;

    if (!odd || is_ordinary(c, e->obj))
        return false;
    if (c->learnt != NULL) {
        hd_learnt_ordinary(c->learnt, e->obj);
        return true;
    }
    c->nordinary++; /* counted before it is added: if the worker is killed in between, the search only restarts
                     * once more than necessary */
    c->ordinary[e->obj / 64] |= UINT64_C(1) << (e->obj % 64);
    return true;
}

bool hd_sections_learn(struct hd_sections *c, const struct hd_execution *done)
{
    bool news = false;

    for (uint32_t i = 0; i < done->nevents; i++)
        news |= note_ordinary(c, &done->events[i]);
    for (uint32_t t = 0; t < done->nthreads; t++)
        news |= note_ordinary(c, &done->pending[t]);
    return news;
}

/* True if the operation may block, or may time out after having been blocked.  An operation of a waiting loop
 * may. */
static bool may_block(const struct hd_event *e)
{
    return hd_kind_traits[e->kind] & (HD_TRAIT_BLOCKS | HD_TRAIT_TIMED) || hd_event_awaits(e);
}

static uint32_t latest(const struct hd_sections *c, uint32_t mutex)
{
    const struct hd_section_last *l = &c->last[mutex];

    return l->stamp == c->stamp ? l->step : HD_NO_STEP;
}

/* Updates the sections for one event. *open is the step that began the current section of the event's thread,
 * or HD_NO_STEP.  Returns the reason if the sections are not reliable. */
static enum hd_fallback follow(struct hd_sections *c, uint32_t *open, const struct hd_event *e,
                               uint32_t step)
{
    uint32_t mutex = hd_sections_lazy(c, e);

    if (*open != HD_NO_STEP && may_block(e))
        return HD_FALLBACK_BLOCKS;
    if (mutex == 0)
        return HD_FALLBACK_NONE;
    if (hd_event_acquires(e)) {
        c->begun[step] = (struct hd_section){ mutex, latest(c, mutex), HD_NO_STEP };
        c->last[mutex] = (struct hd_section_last){ c->stamp, step };
        *open = step;
        return HD_FALLBACK_NONE;
    }
    if (hd_lock_effect(e) != HD_LOCK_GIVES || *open == HD_NO_STEP ||
        c->begun[*open].mutex != mutex)
        return HD_FALLBACK_HELD;
    c->begun[*open].release = step;
    *open = HD_NO_STEP;
    return HD_FALLBACK_NONE;
}

static enum hd_fallback look_at_end(const struct hd_execution *done, const uint32_t *open)
{
    for (uint32_t t = 0; t < done->nthreads; t++) {
        if (open[t] != HD_NO_STEP && may_block(&done->pending[t]))
            return HD_FALLBACK_BLOCKS;
        if (open[t] != HD_NO_STEP && done->ending != HD_END_CUT)
            return HD_FALLBACK_HELD;
    }
    return HD_FALLBACK_NONE;
}

enum hd_fallback hd_sections_find(struct hd_sections *c, const struct hd_trace *t)
{
    uint32_t open[HD_MAX_THREADS];

    c->stamp++;
    for (uint32_t i = 0; i < t->nthreads; i++)
        open[i] = HD_NO_STEP;
    for (uint32_t s = 0; s < t->nsteps; s++) {
        const struct hd_trace_step *step = &t->step[s];

        c->begun[s].mutex = 0;
        for (uint32_t i = 0; i < step->nevents; i++) {
            enum hd_fallback why =
                follow(c, &open[step->tid], &t->exec->events[step->event + i], s);

            if (why != HD_FALLBACK_NONE)
                return why;
        }
    }
    return look_at_end(t->exec, open);
}

/* Returns the section of the mutex that is open just before e: `section` itself or one before it; HD_NO_STEP if
 * there is none. */
static uint32_t open_before(const struct hd_sections *c, uint32_t section, uint32_t e)
{
    while (section != HD_NO_STEP && section >= e)
        section = c->begun[section].previous;
    return section != HD_NO_STEP && c->begun[section].release >= e ? section : HD_NO_STEP;
}

static bool given_back_after(const struct hd_sections *c, const struct hd_trace *t,
                             uint32_t section, uint32_t e)
{
    uint32_t release = c->begun[section].release;

    return release == HD_NO_STEP || hd_trace_before(t, e, release);
}

static void take_over(const struct hd_trace *t, uint32_t *clock, uint32_t step)
{
    for (uint32_t i = 0; step != HD_NO_STEP && i < t->nthreads; i++)
        if (hd_trace_clock(t, step)[i] > clock[i])
            clock[i] = hd_trace_clock(t, step)[i];
}

/* Computes the clock of the steps that must come before the racer in every order in which it comes before e:
 * those in its thread's clock, and those that it conflicts with and that do not happen after e. */
static void needed_without(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer,
                           uint32_t *clock)
{
    struct hd_event op = hd_reversal_normal(t, racer);
    struct hd_access_of on[2];
    unsigned n = hd_event_accesses(&op, on);

    for (uint32_t i = 0; i < t->nthreads; i++)
        clock[i] = 0;
    take_over(t, clock, racer->before);
    for (unsigned k = 0; k < n; k++)
        for (uint32_t i = hd_trace_last_access(t, on[k].obj); i != 0;) {
            const struct hd_trace_access *a = &t->access[i - 1];

            if (a->step <= e)
                break;
            i = a->previous;
            if (a->step < racer->step && hd_access_conflict(a->access, on[k].access) &&
                !hd_trace_before(t, e, a->step))
                take_over(t, clock, a->step);
        }
}

uint32_t hd_sections_in_the_way(const struct hd_sections *c, const struct hd_trace *t, uint32_t e,
                                const struct hd_racer *racer)
{
    uint32_t own = hd_event_acquires(racer->op) ? hd_sections_lazy(c, racer->op) : 0;
    uint32_t section = own != 0 ? open_before(c, latest(c, own), e) : HD_NO_STEP;
    uint32_t needed[HD_MAX_THREADS];

    if (section != HD_NO_STEP && given_back_after(c, t, section, e))
        return section;
    needed_without(t, e, racer, needed);
    for (uint32_t s = e + 1; s < t->nsteps && s < racer->step; s++) {
        if (c->begun[s].mutex == 0 || t->step[s].nth > needed[t->step[s].tid])
            continue;
        section = open_before(c, s, e);
        if (section != HD_NO_STEP && given_back_after(c, t, section, e))
            return section;
    }
    return HD_NO_STEP;
}
