/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_rows.c - the time line: everything that happened, in order, one row each.  Most rows are
 * events.  Some rows are not events, but readers look for them: the accesses of a race, the history
 * of a heap block, the failure, the operations for which threads wait at the end.
 *
 * The page has one array of numbers per column instead of an object per row, because a long
 * execution has very many rows. */
#include "report/html/html_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "report/evidence/accesses.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/decisive.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/suggest.h"
#include "report/evidence/variables.h"
#include "report/evidence/why.h"

/* Flags of a row.  The file src/report/html/model.js has the same numbers. */
enum {
    ROW_LOCAL = 1,    /* not a decision of the scheduler */
    ROW_FAILED = 2,
    ROW_POLLS = 4,    /* changed nothing */
    ROW_TAKES = 8,    /* takes a lock */
    ROW_SHARES = 16,
    ROW_GIVES = 32,
    ROW_KEY = 64,     /* highlighted */
    ROW_FAILURE = 128,
    ROW_PENDING = 256, /* did not happen: the thread still waits to do it */
    ROW_ACCESS = 512, /* an access of the race */
    ROW_VARIABLE = 1024, /* an access to a plain variable, with its value */
};

struct row {
    uint32_t verb, object, value, site, step; /* numbers of texts, of a place, and of the decision */
    uint32_t obj, obj2; /* 0: none */
    uint32_t flags;
    hd_tid tid;
    uint8_t why; /* 1 + enum hd_switch; 0: the same thread continues */
};

struct object {
    uint32_t name, type; /* numbers of texts */
};

/* A row that is not an event.  It comes after `step` decisions. */
struct note {
    uint32_t step;
    hd_tid tid;
    uint64_t pc;
    const char *verb;
};

struct rows {
    struct hd_html *h;
    const struct hd_report *r;
    struct row *row;
    uint32_t n;
    uint32_t *of_event; /* 1 + row of each event; 0: it has none */
    const struct hd_event *before; /* the event of the last row that is an event */
    struct hd_map known; /* numbers of the objects */
    struct object *object;
    uint32_t nobjects; /* number 0 means no object */
    struct hd_race_access first; /* first access of the race */
    struct hd_variables variables;
    uint32_t nvariables; /* number of them that are rows already */
    struct note note[2];
    unsigned nnotes;
};

/* ---- objects --------------------------------------------------------------------------- */

static uint32_t new_object(struct rows *rs, const char *name, const char *type)
{
    *HD_PUSH(rs->object, rs->nobjects) = (struct object){ hd_html_string(rs->h, name),
                                                          hd_html_string(rs->h, type) };
    return rs->nobjects - 1;
}

/* Returns the number of an object.  Tokens are shown as the condition variable or futex to which
 * they belong. */
static uint32_t object_of(struct rows *rs, uint32_t obj)
{
    const struct hd_common *c = rs->r->wire->common;
    char name[256];
    bool new;

    if (obj == 0 || obj >= c->nobjects || obj >= HD_MAX_OBJECTS)
        return 0;
    enum hd_object_type type = (enum hd_object_type)c->objects[obj].type;

    if ((type == HD_OBJ_COND_TOKENS || type == HD_OBJ_FUTEX_TOKENS) && obj > 1)
        type = (enum hd_object_type)c->objects[--obj].type;
    uint32_t *number = hd_map_add(&rs->known, obj, &new);

    if (new) {
        hd_describe_object(rs->r, obj, name, sizeof name);
        *number = new_object(rs, name, hd_object_type_text(type));
    }
    return *number;
}

/* ---- rows ------------------------------------------------------------------------------ */

static struct row *new_row(struct rows *rs, hd_tid tid, const struct hd_operation *o, uint64_t pc,
                           uint32_t flags)
{
    struct row *row = &rs->row[rs->n++];
    char value[128];

    snprintf(value, sizeof value, "%s%s", o->value, o->outcome);
    *row = (struct row){ .tid = tid, .flags = flags, .verb = hd_html_string(rs->h, o->verb),
                         .object = hd_html_string(rs->h, o->object),
                         .value = hd_html_string(rs->h, value),
                         .site = hd_html_place(rs->h, rs->r->symbols, pc) };
    return row;
}

static bool is_shown(const struct hd_event *e)
{
    if (hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN)
        return false;
    return e->kind != HD_EV_NONE && e->kind != HD_EV_TOUCH && e->kind != HD_EV_CHANNEL &&
           e->tid < HD_MAX_THREADS;
}

static uint32_t flags_of(const struct hd_event *e, bool local)
{
    static const uint32_t locks[] = { [HD_LOCK_TAKES] = ROW_TAKES, [HD_LOCK_SHARES] = ROW_SHARES,
                                      [HD_LOCK_GIVES] = ROW_GIVES };

    return (local ? ROW_LOCAL : 0) | (e->flags & HD_EVF_FAILED ? ROW_FAILED : 0) |
           (hd_event_polls(e, hd_kind_traits[e->kind]) ? ROW_POLLS : 0) | locks[hd_lock_effect(e)];
}

/* True if the event has a second object.  For an atomic, obj2 is a hash instead. */
static bool has_second(const struct hd_event *e)
{
    return hd_kind_info[e->kind].acc2 != HD_ACC_N;
}

static void add_event(struct rows *rs, const struct hd_event *e, bool pending, bool local,
                      uint32_t step)
{
    struct hd_operation o;

    hd_describe_parts(rs->r, e, pending, &o);
    struct row *row = new_row(rs, e->tid, &o, hd_report_place(rs->r, e),
                              pending ? ROW_PENDING : flags_of(e, local));

    row->step = local || pending ? 0 : step;
    row->obj = object_of(rs, e->obj);
    row->obj2 = has_second(e) ? object_of(rs, e->obj2) : 0;
    if (pending)
        return;
    if (rs->before != NULL && rs->before->tid != e->tid)
        row->why = (uint8_t)(hd_describe_switch(rs->before, e) + 1);
    rs->before = e;
    rs->of_event[e - rs->r->events] = rs->n;
}

static void add_access(struct rows *rs, const struct hd_race_access *a, uint32_t flags)
{
    struct hd_operation o;
    char name[256];

    hd_race_operation(rs->r, a, &o);
    hd_race_variable(rs->r, name, sizeof name);
    struct row *row = new_row(rs, a->tid, &o, hd_report_access_place(rs->r, a), ROW_KEY | ROW_ACCESS | flags);
    bool new;
    uint32_t *number = hd_map_add(&rs->known, UINT64_MAX, &new);

    if (new)
        *number = new_object(rs, name, "memory");
    row->obj = *number;
}

/* Adds the first access of the race if `nevents` events happened before it. */
static void add_first_access(struct rows *rs, uint32_t nevents)
{
    const struct hd_race_info *race = rs->r->race;

    if (race != NULL && rs->first.position == race->nskipped + nevents &&
        rs->first.tid < HD_MAX_THREADS)
        add_access(rs, &rs->first, 0);
}

/* Adds the accesses to variables that come after `nevents` events. */
static void add_variables(struct rows *rs, uint32_t nevents)
{
    for (; rs->nvariables < rs->variables.n; rs->nvariables++) {
        const struct hd_variable *v = &rs->variables.all[rs->nvariables];
        struct hd_operation o;
        bool new;

        if (v->access->position > nevents)
            return;
        hd_variable_operation(rs->r, v, &o);
        struct row *row = new_row(rs, v->access->tid, &o, hd_accesses_place(rs->r, v->access),
                                  ROW_LOCAL | ROW_VARIABLE);
        uint32_t *number = hd_map_add(&rs->known, v->access->addr | UINT64_C(1) << 63, &new);

        if (new)
            *number = new_object(rs, o.object, "memory");
        row->obj = *number;
    }
}

/* ---- the history of a block ------------------------------------------------------------- */

static void expect_note(struct rows *rs, const struct hd_heap_site *s, const char *verb)
{
    if (s->pc != 0 && s->tid < HD_MAX_THREADS)
        rs->note[rs->nnotes++] = (struct note){ s->step, s->tid, s->pc, verb };
}

static void expect_notes(struct rows *rs)
{
    const struct hd_block_info *b = hd_report_block(rs->r);

    if (b != NULL) {
        expect_note(rs, &b->allocated, "allocates");
        expect_note(rs, &b->freed, "frees");
    }
}

/* Adds the notes that belong before the next decision, after `step` decisions. */
static void add_notes(struct rows *rs, uint32_t step)
{
    for (unsigned i = 0; i < rs->nnotes; i++) {
        struct note *n = &rs->note[i];
        struct hd_operation o = { .object = "the block", .value = "", .outcome = "" };
        bool new;

        if (n->verb == NULL || n->step > step)
            continue;
        snprintf(o.verb, sizeof o.verb, "%s", n->verb);
        struct row *row = new_row(rs, n->tid, &o, n->pc, ROW_KEY);
        uint32_t *number = hd_map_add(&rs->known, UINT64_MAX, &new);

        if (new)
            *number = new_object(rs, "the block", "memory");
        row->obj = *number;
        n->verb = NULL;
    }
}

/* ---- events and the end of the execution --------------------------------------------- */

static void add_events(struct rows *rs)
{
    uint32_t step = hd_report_first_step(rs->r);
    hd_tid section = HD_NO_TID;

    for (uint32_t i = 0; i < rs->r->nevents; i++) {
        const struct hd_event *e = &rs->r->events[i];
        bool local = hd_report_is_inner(e, &section);

        add_first_access(rs, i);
        add_variables(rs, i);
        if (!local || e->kind == HD_EV_THREAD_END) /* the thread's notes come before its end */
            add_notes(rs, step);
        step += !local;
        if (is_shown(e))
            add_event(rs, e, false, local, step);
    }
    add_first_access(rs, rs->r->nevents);
    add_variables(rs, UINT32_MAX);
    add_notes(rs, UINT32_MAX);
}

static void add_failure(struct rows *rs)
{
    const struct hd_finding *f = rs->r->finding;
    struct hd_operation o = { .object = "", .value = "", .outcome = "" };

    snprintf(o.verb, sizeof o.verb, "%s", hd_finding_kind_text((enum hd_finding_kind)f->kind));
    new_row(rs, (hd_tid)f->tid, &o, hd_report_failure_place(rs->r), ROW_KEY | ROW_FAILURE);
}

/* Adds the end of the execution: the failure, or the operations for which the threads wait. */
static void add_end(struct rows *rs)
{
    const struct hd_report *r = rs->r;
    bool stuck = r->finding->kind == HD_FK_DEADLOCK || r->finding->kind == HD_FK_LIVELOCK;

    for (uint32_t t = 0; stuck && t < r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)t);

        if (e != NULL && !hd_deadlock_runs_on(r, (hd_tid)t))
            add_event(rs, e, true, false, 0);
    }
    if (stuck || r->finding->tid >= HD_MAX_THREADS)
        return;
    if (r->race != NULL)
        add_access(rs, &r->race->race.second, ROW_FAILURE);
    else
        add_failure(rs);
}

static void mark(struct rows *rs, uint32_t event)
{
    if (event < rs->r->nevents && rs->of_event[event] != 0)
        rs->row[rs->of_event[event] - 1].flags |= ROW_KEY;
}

static void mark_decisive(struct rows *rs, const struct hd_decisive *decisive)
{
    for (unsigned i = 0; i < decisive->n; i++)
        mark(rs, decisive->event[i]);
}

/* ---- output as JSON ------------------------------------------------------------------ */

#define COLUMN(j, rs, name)                                         \
    do {                                                            \
        hd_json_put_array(j, #name);                                \
        for (uint32_t i_ = 0; i_ < (rs)->n; i_++)                   \
            hd_json_uint(j, (rs)->row[i_].name);                    \
        hd_json_end(j);                                             \
    } while (0)

static void columns_json(struct hd_json *j, const struct rows *rs)
{
    hd_json_put_object(hd_json_line(j), "rows");
    hd_json_put_uint(j, "n", rs->n);
    COLUMN(j, rs, tid);
    COLUMN(j, rs, verb);
    COLUMN(j, rs, object);
    COLUMN(j, rs, value);
    COLUMN(j, rs, site);
    COLUMN(j, rs, step);
    COLUMN(j, rs, obj);
    COLUMN(j, rs, obj2);
    COLUMN(j, rs, flags);
    COLUMN(j, rs, why);
    hd_json_end(j);
}

static void threads_json(struct hd_json *j, const struct rows *rs)
{
    static const char *const state[] = { "", "live", "finished", "failed", "stopped" };
    const struct hd_report *r = rs->r;

    hd_json_put_array(hd_json_line(j), "threads");
    for (uint32_t t = 0; t < r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_thread_info *info = &r->threads[t];
        char name[64];

        hd_describe_thread(r, (hd_tid)t, name, sizeof name);
        hd_json_object(j);
        hd_json_put_string(j, "name", name);
        hd_json_put_int(j, "parent", t > 0 ? info->parent : -1);
        hd_json_put_uint(j, "site", hd_html_place(rs->h, r->symbols, t > 0 ? info->create_pc : 0));
        hd_json_put_string(j, "state", info->state < sizeof state / sizeof *state ? state[info->state] : "");
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void objects_json(struct hd_json *j, const struct rows *rs)
{
    hd_json_put_array(hd_json_line(j), "objects");
    for (uint32_t i = 0; i < rs->nobjects; i++) {
        hd_json_array(j);
        hd_json_uint(j, rs->object[i].name);
        hd_json_uint(j, rs->object[i].type);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void edges_json(struct hd_json *j, const struct rows *rs, const struct hd_order *order)
{
    hd_json_put_array(hd_json_line(j), "edges");
    for (size_t i = 0; i < order->n; i++) {
        uint32_t from = rs->of_event[order->edges[i].from], to = rs->of_event[order->edges[i].to];

        if (from == 0 || to == 0)
            continue;
        hd_json_uint(j, from - 1);
        hd_json_uint(j, to - 1);
    }
    hd_json_end(j);
}

static void why_json(struct hd_json *j, const struct rows *rs)
{
    const struct hd_explanation *why = rs->r->why;
    struct hd_suggestion suggestion;
    char sentence[HD_WHY_MAX];

    hd_why_sentence(rs->r, sentence, sizeof sentence);
    hd_json_put_object(hd_json_line(j), "why");
    hd_json_put_string(j, "sentence", sentence);
    hd_json_put_string(j, "suggestion", hd_suggestion_find(rs->r, &suggestion) ? suggestion.text : "");
    hd_json_put_array(j, "rows");
    for (unsigned i = 0; why != NULL && i < why->nevents && i < HD_MAX_DECISIVE; i++)
        if (why->event[i] < rs->r->nevents && rs->of_event[why->event[i]] != 0)
            hd_json_uint(j, rs->of_event[why->event[i]] - 1);
    hd_json_end(j);
    hd_json_end(j);
}

void hd_html_rows_json(struct hd_json *j, struct hd_html *h, const struct hd_report *r,
                       const struct hd_order *order)
{
    struct rows rs = { .h = h, .r = r };
    struct hd_decisive decisive;

    hd_decisive_find(r, &decisive);
    hd_variables_find(r, &decisive, &rs.variables);
    rs.row = hd_zeroed((size_t)r->nevents + rs.variables.n + HD_MAX_THREADS + 4, sizeof *rs.row);
    rs.of_event = hd_zeroed((size_t)r->nevents + 1, sizeof *rs.of_event);
    if (r->race != NULL)
        rs.first = hd_race_first(r);
    new_object(&rs, "", "");
    expect_notes(&rs);
    add_events(&rs);
    add_end(&rs);
    mark_decisive(&rs, &decisive);
    j->tight = true; /* an execution may have very many rows */
    threads_json(j, &rs);
    objects_json(j, &rs);
    columns_json(j, &rs);
    edges_json(j, &rs, order);
    why_json(j, &rs);
    j->tight = false;
    hd_map_free(&rs.known);
    free(rs.object);
    free(rs.of_event);
    free(rs.row);
    hd_variables_free(&rs.variables);
}
