/* SPDX-License-Identifier: BSD-2-Clause
 *
 * livelock.c - describes which thread polls what, which value it reads and which thread wrote it;
 * or the round of operations that a cycle repeats. */
#include "report/evidence/livelock.h"

#include <stdio.h>
#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/memory.h"
#include "report/evidence/value.h"
#include "report/names/path.h"

static const struct hd_section *section(const struct hd_report *r, enum hd_section_type type,
                                        size_t each)
{
    const struct hd_section *s = hd_finding_section(r->finding, type, HD_NO_TID);

    return s != NULL && s->count > 0 && s->bytes >= s->count * each ? s : NULL;
}

const struct hd_polled *hd_livelock_polled(const struct hd_report *r, uint32_t *n)
{
    const struct hd_section *s = section(r, HD_SEC_POLLED, sizeof(struct hd_polled));

    *n = s != NULL ? s->count : 0;
    return s != NULL ? (const struct hd_polled *)(const void *)(s + 1) : NULL;
}

static const struct hd_cycle_info *cycle(const struct hd_report *r)
{
    const struct hd_section *s = section(r, HD_SEC_CYCLE, sizeof(struct hd_cycle_info));
    const struct hd_cycle_info *c = s != NULL ? (const struct hd_cycle_info *)(const void *)(s + 1) : NULL;

    return c != NULL && c->first < c->end && c->end <= r->nevents ? c : NULL;
}

bool hd_livelock_explains(const struct hd_report *r, hd_tid tid)
{
    const struct hd_cycle_info *c = cycle(r);
    uint32_t n;
    const struct hd_polled *p = hd_livelock_polled(r, &n);

    for (uint32_t i = 0; i < n; i++)
        if (p[i].tid == tid)
            return true;
    for (uint32_t i = c != NULL ? c->first : 0; c != NULL && i < c->end; i++)
        if (r->events[i].tid == tid)
            return true;
    return false;
}

/* ---- polling ------------------------------------------------------------------------- */

static hd_cname name_of(const struct hd_report *r, uint32_t obj)
{
    return obj != 0 && obj < r->wire->common->nobjects ? r->wire->common->objects[obj].name : 0;
}

void hd_livelock_variable(const struct hd_report *r, const struct hd_polled *p, char *buf, size_t cap)
{
    struct hd_memory m;

    if (p->size == 0)
        hd_describe_typed_object(r, p->obj, buf, cap);
    else if (hd_cname_region(p->name) == HD_REG_MODULE)
        snprintf(buf, cap, "%s", hd_symbols_variable(r->symbols, hd_cname_index(p->name),
                                                     hd_cname_offset(p->name)));
    else if (p->obj != 0)
        hd_describe_object(r, p->obj, buf, cap);
    else if (hd_cname_region(p->name) == HD_REG_HEAP &&
             hd_memory_name(r, p->name, hd_memory_heap_address(p->name), &m))
        snprintf(buf, cap, "%s", m.name);
    else
        snprintf(buf, cap, "memory");
}

/* Returns the last event that changed the polled location, or NULL.  Events show writes by atomic
 * operations.  A plain write leaves no event. */
static const struct hd_event *last_write(const struct hd_report *r, const struct hd_polled *p)
{
    for (uint32_t i = r->nevents; i > 0; i--) {
        const struct hd_event *e = &r->events[i - 1];
        uint8_t access = e->flags & HD_EVF_FAILED ? hd_kind_info[e->kind].fail1 : hd_kind_info[e->kind].ok1;

        if ((access == HD_ACC_W || access == HD_ACC_A) && e->kind != HD_EV_TOUCH &&
            !(e->flags & HD_EVF_SAME) && e->obj != 0 && (e->obj == p->obj || name_of(r, e->obj) == p->name))
            return e;
    }
    return NULL;
}

static void say_writer(const struct hd_report *r, const struct hd_polled *p, char *buf, size_t cap)
{
    const struct hd_event *e = last_write(r, p);
    char who[64], op[320];

    if (e == NULL) {
        snprintf(buf, cap, p->obj != 0 ? "; nobody has written it in this execution"
                                       : "; no atomic or lock operation of this execution writes it");
        return;
    }
    hd_describe_thread(r, e->tid, who, sizeof who);
    hd_describe_operation(r, e, op, sizeof op);
    snprintf(buf, cap, "; last changed by %s at %s (%s)", who, hd_describe_site(r, e), op);
}

static void print_polled(const struct hd_text *t, const struct hd_report *r, const struct hd_polled *p)
{
    char what[320], value[128], reads[160] = "", writer[500], line[1000];

    hd_livelock_variable(r, p, what, sizeof what);
    if (p->size != 0) {
        hd_value_text(r, p->name, hd_memory_heap_address(p->name), p->value, p->size, value, sizeof value);
        snprintf(reads, sizeof reads, "%s%s", value[0] != '\0' ? ", which it reads as " : "", value);
    }
    say_writer(r, p, writer, sizeof writer);
    snprintf(line, sizeof line, "%s%s%s", what, reads, writer);
    fputs("    ", t->out);
    hd_text_wrap(t, 4, 6, line);
}

static void poller_text(const struct hd_text *t, const struct hd_report *r, const struct hd_polled *p)
{
    char who[64], line[400];
    const char *site = hd_symbols_site(r->symbols, p->pc);

    hd_describe_thread(r, p->tid, who, sizeof who);
    snprintf(line, sizeof line, "%s polls at %s; only another value of this could end it:", who,
             site[0] != '\0' ? site : "?");
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

/* Prints what one thread polls.  If the writers of some locations are known, the other locations
 * are only counted: they are mostly constants or settings for which the thread does not wait. */
static void polled_by_one(const struct hd_text *t, const struct hd_report *r, const struct hd_polled *p,
                          uint32_t n)
{
    uint32_t written = 0, others = 0;

    for (uint32_t i = 0; i < n; i++)
        written += last_write(r, &p[i]) != NULL;
    poller_text(t, r, p);
    for (uint32_t i = 0; i < n; i++)
        if (t->all || written == 0 || last_write(r, &p[i]) != NULL)
            print_polled(t, r, &p[i]);
        else
            others++;
    if (others > 0)
        fprintf(t->out, "    or of %u other place%s that no atomic or lock operation here has written\n",
                others, others == 1 ? "" : "s");
}

static void polling_text(const struct hd_text *t, const struct hd_report *r)
{
    uint32_t n;
    const struct hd_polled *p = hd_livelock_polled(r, &n);

    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && p[end].tid == p[i].tid;)
            end++;
        polled_by_one(t, r, &p[i], end - i);
    }
}

/* ---- cycles ---------------------------------------------------------------------------- */

static void cycle_text(const struct hd_text *t, const struct hd_report *r)
{
    enum { SHOWN = 40 };
    const struct hd_cycle_info *c = cycle(r);
    uint32_t shown = 0;

    if (c == NULL)
        return;
    fputs("  The round that repeats itself:\n", t->out);
    for (uint32_t i = c->first; i < c->end && shown < SHOWN; i++) {
        const struct hd_event *e = &r->events[i];
        char who[64], op[320], line[500];

        if (hd_report_is_local(e))
            continue;
        hd_describe_thread(r, e->tid, who, sizeof who);
        hd_describe_operation(r, e, op, sizeof op);
        snprintf(line, sizeof line, "%s: %s, at %s", who, op, hd_describe_site(r, e));
        fputs("    ", t->out);
        hd_text_wrap(t, 4, 6, line);
        shown++;
    }
    if (shown == SHOWN)
        fputs("    ...\n", t->out);
}

/* Prints the last known position of a thread that runs for ever. */
static void running_thread(const struct hd_text *t, const struct hd_report *r, hd_tid tid,
                           const struct hd_event *e)
{
    char who[64], op[320], line[500];
    const char *site = hd_describe_site(r, e);

    hd_describe_thread(r, tid, who, sizeof who);
    hd_describe_pending(r, e, op, sizeof op);
    snprintf(line, sizeof line, "%s is at %s: %s", who, site[0] != '\0' ? site : "?", op);
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

void hd_livelock_text(const struct hd_text *t, const struct hd_report *r)
{
    char line[800];

    hd_describe_message(r, line, sizeof line);
    hd_path_shorten(line);
    hd_text_wrap(t, 0, 2, line);
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e != NULL && !hd_livelock_explains(r, (hd_tid)i))
            running_thread(t, r, (hd_tid)i, e);
    }
    polling_text(t, r);
    cycle_text(t, r);
}

/* ---- decisive events ------------------------------------------------------------------- */

bool hd_livelock_is_explained(const struct hd_report *r)
{
    uint32_t n;

    return hd_livelock_polled(r, &n) != NULL || cycle(r) != NULL;
}

static bool is_among(const uint32_t *events, unsigned n, uint32_t event)
{
    for (unsigned i = 0; i < n; i++)
        if (events[i] == event)
            return true;
    return false;
}

/* Stores the first writes of the round.  The writes of a round undo each other, so they show why it
 * repeats. */
static unsigned cycle_events(const struct hd_report *r, uint32_t *events)
{
    const struct hd_cycle_info *c = cycle(r);
    unsigned n = 0;

    for (uint32_t i = c != NULL ? c->first : 0; c != NULL && i < c->end && n < HD_MAX_DECISIVE; i++)
        if (!hd_report_is_local(&r->events[i]) && hd_kind_info[r->events[i].kind].ok1 == HD_ACC_W &&
            !(r->events[i].flags & HD_EVF_FAILED))
            events[n++] = i;
    return n;
}

unsigned hd_livelock_events(const struct hd_report *r, uint32_t *events)
{
    uint32_t npolled;
    const struct hd_polled *p = hd_livelock_polled(r, &npolled);
    unsigned n = 0;

    for (uint32_t i = 0; i < npolled && n < HD_MAX_DECISIVE; i++) {
        const struct hd_event *e = last_write(r, &p[i]);
        uint32_t at = e != NULL ? (uint32_t)(e - r->events) : 0;

        if (e != NULL && !is_among(events, n, at))
            events[n++] = at;
    }
    return n > 0 ? n : cycle_events(r, events);
}
