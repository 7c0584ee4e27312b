/* SPDX-License-Identifier: BSD-2-Clause
 *
 * variables.c - selects the accesses to plain variables that a report shows. */
#include "report/evidence/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "report/evidence/accesses.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/value.h"

enum { NEAR_MAX = 4 }; /* maximum number of accesses next to one decisive event that count as near */

/* A part of a thread's execution: its accesses with at least `from` and at most `to` events before. */
struct window {
    hd_tid tid;
    uint32_t from, to;
    unsigned shown;
};

struct location {
    hd_tid first;  /* the first thread that used it; HD_NO_TID: none yet */
    bool shared, written, shown;
    uint32_t last;  /* 1 + the last row for it; 0: none */
    uint32_t write; /* 1 + the index of the last write; 0: none */
};

struct search {
    const struct hd_report *r;
    struct window window[2 * HD_WITNESS_EVENTS + 1];
    unsigned nwindows;
    struct window failing; /* the last window of the failing thread; tid HD_NO_TID: none */
    const char *line;      /* the place of the failure */
    uint32_t created;      /* number of events before the first creation of a thread */
    uint32_t begins;       /* first decisive event */
    struct hd_map known;   /* maps addresses to locations */
    struct location *location;
    uint32_t n;
    bool *source; /* for each access: it wrote a value that is used in a window */
    struct hd_variables *out;
};

/* ---- windows -------------------------------------------------------------------------------- */

/* Returns the index of the next or last event of the thread from `from` on; `end` if there is none. */
static uint32_t next_event(const struct hd_report *r, hd_tid tid, uint32_t from)
{
    while (from < r->nevents && r->events[from].tid != tid)
        from++;
    return from;
}

static uint32_t event_before(const struct hd_report *r, hd_tid tid, uint32_t to)
{
    while (to > 0 && r->events[to - 1].tid != tid)
        to--;
    return to;
}

static void add_window(struct search *s, hd_tid tid, uint32_t from, uint32_t to)
{
    if (s->nwindows < sizeof s->window / sizeof *s->window)
        s->window[s->nwindows++] = (struct window){ .tid = tid, .from = from, .to = to };
}

/* Adds the windows next to the event.  A thread that waits for a condition has read the predicate
 * before the wait. */
static void add_windows(struct search *s, uint32_t event)
{
    const struct hd_event *e = &s->r->events[event];

    if (e->kind == HD_EV_COND_WAIT)
        add_window(s, e->tid, event_before(s->r, e->tid, event), event);
    else
        add_window(s, e->tid, event + 1, next_event(s->r, e->tid, event + 1));
}

static void open_windows(struct search *s, const struct hd_decisive *d)
{
    const struct hd_report *r = s->r;
    hd_tid tid = (hd_tid)r->finding->tid;

    s->begins = r->nevents;
    for (unsigned i = 0; i < d->n; i++) {
        add_windows(s, d->event[i]);
        if (d->event[i] < s->begins)
            s->begins = d->event[i];
    }
    s->failing = (struct window){ .tid = HD_NO_TID };
    if (!hd_report_is_stuck(r) && r->finding->tid < HD_MAX_THREADS) {
        s->failing = (struct window){ .tid = tid, .from = event_before(r, tid, r->nevents),
                                      .to = r->nevents }; /* the thread may have continued after the
                                                           * failure */
        add_window(s, tid, s->failing.from, s->failing.to);
    }
    s->line = hd_symbols_site(r->symbols, hd_report_failure_place(r));
    s->created = 0;
    while (s->created < r->nevents && r->events[s->created].kind != HD_EV_THREAD_CREATE)
        s->created++;
}

static bool is_in(const struct window *w, const struct hd_plain_access *a)
{
    return a->tid == w->tid && a->position >= w->from && a->position <= w->to;
}

static struct window *window_of(struct search *s, const struct hd_plain_access *a)
{
    for (unsigned i = 0; i < s->nwindows; i++)
        if (is_in(&s->window[i], a))
            return &s->window[i];
    return NULL;
}

/* ---- locations ------------------------------------------------------------------------------ */

static struct location *location_of(struct search *s, const struct hd_plain_access *a)
{
    bool new;
    uint32_t *number = hd_map_add(&s->known, a->addr, &new);

    if (new) {
        *number = s->n;
        *HD_PUSH(s->location, s->n) = (struct location){ .first = HD_NO_TID };
    }
    return &s->location[*number];
}

/* Records which threads use each location.  Accesses before there is a second thread do not count:
 * they are initialisation. */
static void note_uses(struct search *s)
{
    for (uint32_t i = 0; i < hd_accesses_count(s->r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(s->r, i);
        struct location *l = location_of(s, a);

        if (a->position <= s->created)
            continue;
        l->shared |= l->first != HD_NO_TID && l->first != a->tid;
        l->written |= a->write;
        if (l->first == HD_NO_TID)
            l->first = a->tid;
    }
}

static bool fails_with(const struct search *s, const struct hd_plain_access *a)
{
    return is_in(&s->failing, a) && s->line[0] != '\0' &&
           strcmp(s->line, hd_symbols_site(s->r->symbols, hd_accesses_place(s->r, a))) == 0;
}

static bool has_name(const struct hd_report *r, const struct hd_plain_access *a)
{
    struct hd_memory m;

    return hd_memory_name(r, a->name, a->addr, &m) && strstr(m.name, "+0x") == NULL;
}

static void choose_locations(struct search *s)
{
    for (uint32_t i = 0; i < hd_accesses_count(s->r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(s->r, i);
        struct location *l = location_of(s, a);

        if (!l->shown && window_of(s, a) != NULL && ((l->shared && l->written) || fails_with(s, a)))
            l->shown = has_name(s->r, a);
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool same_line(const struct hd_report *r, const struct hd_plain_access *a,
                      const struct hd_plain_access *b)
{
    return strcmp(hd_symbols_site(r->symbols, hd_accesses_place(r, a)),
                  hd_symbols_site(r->symbols, hd_accesses_place(r, b))) == 0;
}

/* True if the previous row for the location shows the same value. */
static bool is_known(const struct hd_variable *last, const struct hd_plain_access *a)
{
    return last != NULL && last->near && !a->write && last->access->tid == a->tid &&
           last->access->valued == a->valued && last->access->value == a->value && last->access->size == a->size &&
           !last->access->write && last->access->position == a->position;
}

/* True if the value can be printed.  An access without a value is not informative. */
static bool has_value(const struct hd_report *r, const struct hd_plain_access *a)
{
    char text[128] = "";

    if (a->valued)
        hd_value_text(r, a->name, a->addr, a->value, a->size, text, sizeof text);
    return text[0] != '\0';
}

static void add_row(struct search *s, const struct hd_plain_access *a, struct location *l, bool near)
{
    struct hd_variable *last = l->last != 0 ? &s->out->all[l->last - 1] : NULL;
    bool updates = last != NULL && l->last == s->out->n && a->write && !last->access->write &&
                   last->access->tid == a->tid && last->access->position == a->position &&
                   last->access->size == a->size && same_line(s->r, last->access, a);

    if (is_known(last, a))
        return;
    if (updates) {
        last->before = last->access;
        last->access = a;
        return;
    }
    *HD_PUSH(s->out->all, s->out->n) = (struct hd_variable){ .access = a, .near = near && has_value(s->r, a) };
    l->last = s->out->n;
}

/* Accesses that are events have rows of their own. */
static bool is_event(const struct hd_report *r, const struct hd_plain_access *a)
{
    return a->position > 0 && a->position <= r->nevents &&
           hd_accesses_of_event(r, &r->events[a->position - 1]) == a;
}

/* If a thread reads or overwrites a value in a window, and another thread wrote that value last, marks that write
 * as a source. */
static void find_sources(struct search *s)
{
    s->source = hd_zeroed(hd_accesses_count(s->r), sizeof *s->source);
    for (uint32_t i = 0; i < hd_accesses_count(s->r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(s->r, i);
        struct location *l = location_of(s, a);

        if (l->shown && l->write != 0 && window_of(s, a) != NULL &&
            hd_accesses_at(s->r, l->write - 1)->tid != a->tid)
            s->source[l->write - 1] = true;
        if (a->write)
            l->write = i + 1;
    }
}

static void add_rows(struct search *s)
{
    for (uint32_t i = 0; i < hd_accesses_count(s->r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(s->r, i);
        struct location *l = location_of(s, a);
        struct window *w = l->shown ? window_of(s, a) : NULL;

        if (l->shown && (w != NULL || s->source[i] || (a->write && a->position > s->begins)) &&
            !is_event(s->r, a))
            add_row(s, a, l, s->source[i] || (w != NULL && w->shown++ < NEAR_MAX));
    }
}

/* True if no variables need to be shown: the locks of a cycle explain a deadlock, the accesses of a race explain the
 * race, and the report of a livelock lists what a thread polls. */
static bool needs_none(const struct hd_report *r)
{
    return r->race != NULL || r->finding->kind == HD_FK_LIVELOCK ||
           (r->finding->kind == HD_FK_DEADLOCK && r->nstands > 0 &&
            r->stands[0].how == HD_BLOCKED_STATE_IN_CYCLE);
}

void hd_variables_find(const struct hd_report *r, const struct hd_decisive *d, struct hd_variables *v)
{
    struct search s = { .r = r, .out = v };

    *v = (struct hd_variables){ .n = 0 };
    if (needs_none(r) || hd_accesses_count(r) == 0)
        return;
    open_windows(&s, d);
    note_uses(&s);
    choose_locations(&s);
    find_sources(&s);
    add_rows(&s);
    hd_map_free(&s.known);
    free(s.location);
    free(s.source);
}

void hd_variables_free(struct hd_variables *v)
{
    free(v->all);
    *v = (struct hd_variables){ .n = 0 };
}

/* ---- words ---------------------------------------------------------------------------------- */

void hd_variable_operation(const struct hd_report *r, const struct hd_variable *v, struct hd_operation *o)
{
    const struct hd_plain_access *a = v->access, *b = v->before;
    struct hd_memory m;
    char old[64], new[64];

    hd_memory_name(r, a->name, a->addr, &m);
    *o = (struct hd_operation){ .outcome = "" };
    snprintf(o->verb, sizeof o->verb, "%s", b != NULL ? "update" : a->write ? "write" : "read");
    snprintf(o->object, sizeof o->object, "%s", m.name);
    if (a->valued && b != NULL && b->valued) {
        hd_value_text(r, a->name, a->addr, b->value, b->size, old, sizeof old);
        hd_value_text(r, a->name, a->addr, a->value, a->size, new, sizeof new);
        snprintf(o->value, sizeof o->value, " = %.28s -> %.28s", old, new);
    } else if (a->valued) {
        hd_describe_value(r, a->name, a->addr, a->value, a->size, o->value, sizeof o->value);
    }
}
