/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_rows.c - the time line: everything that happened, in order, one row each.  The rows and their marks are those
 * of the text report (evidence/rows.h), but none is left out.
 *
 * The page has one array of numbers per column instead of an object per row, because a long
 * execution has very many rows. */
#include "report/html/html_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "report/evidence/describe.h"
#include "report/evidence/mail.h"
#include "report/evidence/race.h"
#include "report/evidence/rows.h"
#include "report/evidence/suggest.h"
#include "report/evidence/why.h"

/* Flags of a row.  The file src/report/html/model.js has the same numbers. */
enum {
    ROW_LOCAL = 1,    /* not a decision of the scheduler */
    ROW_FAILED = 2,
    ROW_POLLS = 4,    /* the operation changed nothing */
    ROW_TAKES = 8,    /* takes a lock */
    ROW_SHARES = 16,
    ROW_GIVES = 32,
    ROW_KEY = 64,     /* marked, as in the text report */
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

struct rows {
    struct hd_html *h;
    const struct hd_report *r;
    const struct hd_rows *from;
    struct row *row;
    uint32_t n;
    uint32_t *of_event; /* 1 + row of each event; 0: it has none */
    const struct hd_event *before; /* the event of the last row that is an event */
    struct hd_map known; /* numbers of the objects */
    struct object *object;
    uint32_t nobjects; /* number 0 means no object */
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

/* Returns the number for memory that is not an object of the model: a variable, or the block of the finding.  key:
 * a number that no object has. */
static uint32_t memory_of(struct rows *rs, uint64_t key, const char *name)
{
    bool new;
    uint32_t *number = hd_map_add(&rs->known, key, &new);

    if (new)
        *number = new_object(rs, name, "memory");
    return *number;
}

/* ---- rows ------------------------------------------------------------------------------ */

static bool is_shown(const struct hd_event *e)
{
    if (hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN)
        return false;
    return e->kind != HD_EV_TOUCH && e->kind != HD_EV_CHANNEL;
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

/* Fills in the fields that only rows of events have. */
static void fill_event(struct rows *rs, struct row *row, const struct hd_row *from)
{
    const struct hd_event *e = from->event;

    row->obj = object_of(rs, e->obj);
    row->obj2 = has_second(e) ? object_of(rs, e->obj2) : 0;
    if (from->type == HD_ROW_PENDING) {
        row->flags |= ROW_PENDING;
        return;
    }
    row->step = from->step;
    row->flags |= flags_of(e, from->step == 0);
    if (rs->before != NULL && rs->before->tid != e->tid)
        row->why = (uint8_t)(hd_describe_switch(rs->before, e) + 1);
    rs->before = e;
    rs->of_event[e - rs->r->events] = rs->n;
}

static uint32_t place_of(struct rows *rs, const struct hd_row *from)
{
    uint64_t pc = hd_row_pc(rs->from, from);
    const char *text = hd_row_site(rs->from, from);

    return strcmp(text, hd_symbols_site(rs->r->symbols, pc)) == 0 ? hd_html_place(rs->h, rs->r->symbols, pc)
                                                                  : hd_html_named_place(rs->h, text);
}

static void add_row(struct rows *rs, const struct hd_row *from)
{
    struct row *row = &rs->row[rs->n++];
    struct hd_operation o;
    char value[128], name[256];

    hd_row_operation(rs->from, from, &o);
    snprintf(value, sizeof value, "%s%s", o.value, o.outcome);
    *row = (struct row){ .tid = from->tid, .flags = from->decisive ? ROW_KEY : 0,
                         .verb = hd_html_string(rs->h, o.verb), .object = hd_html_string(rs->h, o.object),
                         .value = hd_html_string(rs->h, value), .site = place_of(rs, from) };
    switch (from->type) {
    case HD_ROW_ACCESS:
        hd_race_variable(rs->r, name, sizeof name);
        row->obj = memory_of(rs, UINT64_MAX, name);
        row->flags |= ROW_ACCESS | (from->access == &rs->r->race->race.second ? ROW_FAILURE : 0);
        break;
    case HD_ROW_VARIABLE:
        row->obj = memory_of(rs, from->variable->access->addr | UINT64_C(1) << 63, o.object);
        row->flags |= ROW_LOCAL | ROW_VARIABLE;
        break;
    case HD_ROW_BLOCK:
        row->obj = memory_of(rs, UINT64_MAX, o.object);
        break;
    case HD_ROW_FAILURE:
        row->flags |= ROW_FAILURE;
        break;
    default:
        fill_event(rs, row, from);
    }
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

/* Messages between threads, and failures: row, receiver, name.  The receiver is -1 for a failure that ends no actor.  For
 * each actor that one ends, it is -2 minus its thread; the row is that of the failure. */
static void messages_json(struct hd_json *j, const struct rows *rs)
{
    hd_json_put_array(hd_json_line(j), "messages");
    for (uint32_t i = 0; i < rs->r->nevents; i++) {
        const struct hd_event *e = &rs->r->events[i];
        bool fails = e->kind == HD_EV_MAIL_STRIKE, is_crash = hd_mail_is_crash(rs->r, e);
        uint32_t row = rs->of_event[is_crash ? hd_mail_failure(rs->r, e) - rs->r->events : i];
        char name[64] = "";

        if (row == 0 || !(fails || hd_mail_is_message(e)) || hd_mail_ends_actors(rs->r, e))
            continue;
        if (!fails)
            hd_mail_name(rs->r, e, name, sizeof name);
        hd_json_uint(j, row - 1);
        hd_json_int(j, fails ? -1 : is_crash ? -2 - (int64_t)e->peer : (int64_t)e->peer);
        hd_json_uint(j, hd_html_string(rs->h, name));
    }
    hd_json_end(j);
}

static void why_json(struct hd_json *j, const struct rows *rs)
{
    struct hd_suggestion suggestion;
    char sentence[HD_WHY_MAX];

    hd_why_sentence(rs->r, sentence, sizeof sentence);
    hd_json_put_object(hd_json_line(j), "why");
    hd_json_put_string(j, "sentence", sentence);
    hd_json_put_string(j, "suggestion", hd_suggestion_find(rs->r, &suggestion) ? suggestion.text : "");
    hd_json_end(j);
}

void hd_html_rows_json(struct hd_json *j, struct hd_html *h, const struct hd_report *r,
                       const struct hd_order *order)
{
    struct hd_rows all;

    hd_rows_open(&all, r, true);
    struct rows rs = { .h = h, .r = r, .from = &all };

    rs.row = hd_zeroed((size_t)all.n + 1, sizeof *rs.row);
    rs.of_event = hd_zeroed((size_t)r->nevents + 1, sizeof *rs.of_event);
    new_object(&rs, "", "");
    for (uint32_t i = 0; i < all.n; i++)
        if (all.all[i].type != HD_ROW_EVENT || all.all[i].decisive || is_shown(all.all[i].event))
            add_row(&rs, &all.all[i]);
    j->tight = true; /* an execution may have very many rows */
    threads_json(j, &rs);
    objects_json(j, &rs);
    columns_json(j, &rs);
    edges_json(j, &rs, order);
    messages_json(j, &rs);
    why_json(j, &rs);
    j->tight = false;
    hd_map_free(&rs.known);
    free(rs.object);
    free(rs.of_event);
    free(rs.row);
    hd_rows_close(&all);
}
