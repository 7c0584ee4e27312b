/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.c - makes the rows of an interleaving: the events in temporal order; between them the parts of the finding
 * that have no event (the accesses of a race, the allocation and release of a heap block); at the end the state of
 * the threads. */
#include "report/evidence/rows.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/heap.h"
#include "report/evidence/accesses.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/transaction.h"
#include "report/evidence/why.h"

/* True if the event chose not to inject a fault, or not to abort a transaction: such rows are not informative. */
static bool is_no_fault(const struct hd_event *e)
{
    return (hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN) || hd_transaction_is_silent(e);
}

static bool is_shown(const struct hd_rows *rs, const struct hd_event *e)
{
    if (e->kind == HD_EV_NONE || e->tid >= HD_MAX_THREADS)
        return false;
    return rs->show_all ||
           (!hd_report_is_local(e) && !is_no_fault(e) && e->kind != HD_EV_EXIT_END) || e->kind == HD_EV_TX_END;
}

static const char *why_left(const struct hd_event *before, const struct hd_event *now)
{
    static const char *const text[] = { [HD_SWITCH_PREEMPTED] = "preempted",
                                        [HD_SWITCH_BLOCKED] = "blocked",
                                        [HD_SWITCH_YIELDED] = "yielded",
                                        [HD_SWITCH_FINISHED] = "finished" };

    return text[hd_describe_switch(before, now)];
}

static struct hd_row *add_row(struct hd_rows *rs, enum hd_row_type type, hd_tid tid)
{
    struct hd_row *row = &rs->all[rs->n++];

    *row = (struct hd_row){ .type = type, .tid = tid, .left = HD_NO_TID };
    return row;
}

static void add_access(struct hd_rows *rs, const struct hd_race_access *a)
{
    struct hd_row *row = add_row(rs, HD_ROW_ACCESS, a->tid);

    row->access = a;
    row->decisive = true;
}

/* Adds the first access of a race if exactly `nevents` events of the record come before it. */
static void add_first_access(struct hd_rows *rs, uint32_t nevents)
{
    const struct hd_race_info *race = rs->r->race;

    if (race != NULL && rs->first.position == race->nskipped + nevents &&
        rs->first.tid < HD_MAX_THREADS)
        add_access(rs, &rs->first);
}

/* Adds the accesses to variables that come after `nevents` events. */
static void add_variables(struct hd_rows *rs, uint32_t *next, uint32_t nevents)
{
    for (; *next < rs->variables.n && rs->variables.all[*next].access->position <= nevents; (*next)++) {
        const struct hd_variable *v = &rs->variables.all[*next];

        add_row(rs, HD_ROW_VARIABLE, v->access->tid)->variable = v;
    }
}

/* Adds the allocation and the release of the block if at most `step` decisions came before them. */
static void add_block(struct hd_rows *rs, uint32_t step)
{
    const struct hd_block_info *b = rs->block;

    for (; b != NULL && rs->nblock < 2; rs->nblock++) {
        const struct hd_heap_site *site = rs->nblock == 0 ? &b->allocated : &b->freed;

        if (site->pc == 0 || site->tid >= HD_MAX_THREADS)
            continue;
        if (site->step > step)
            return;
        struct hd_row *row = add_row(rs, HD_ROW_BLOCK, site->tid);

        row->site = site;
        row->decisive = rs->nblock == 1 || rs->r->finding->kind == HD_FK_LEAK;
    }
}

static void add_event(struct hd_rows *rs, uint32_t i, uint32_t step, const struct hd_event *before)
{
    const struct hd_event *e = &rs->r->events[i];
    struct hd_row *row = add_row(rs, HD_ROW_EVENT, e->tid);

    row->event = e;
    row->step = step;
    row->decisive = hd_decisive_has(&rs->decisive, i);
    if (before != NULL && before->tid != e->tid) {
        row->left = before->tid;
        row->why = why_left(before, e);
    }
}

static void add_events(struct hd_rows *rs)
{
    const struct hd_event *before = NULL;
    uint32_t step = hd_report_first_step(rs->r), variable = 0;
    hd_tid section = HD_NO_TID;

    for (uint32_t i = 0; i < rs->r->nevents; i++) {
        const struct hd_event *e = &rs->r->events[i];
        bool local = hd_report_is_inner(e, &section);

        add_first_access(rs, i);
        add_variables(rs, &variable, i);
        if (!local || e->kind == HD_EV_THREAD_END) /* a thread frees before it ends */
            add_block(rs, step);
        step += !local;
        if (is_shown(rs, e) || hd_decisive_has(&rs->decisive, i)) {
            add_event(rs, i, local ? 0 : step, before);
            before = e;
        } else if (e->kind == HD_EV_THREAD_END) {
            before = e; /* not a row, but the reason of the switch in the next row */
        }
    }
    add_variables(rs, &variable, UINT32_MAX);
    add_block(rs, UINT32_MAX);
}

static void add_pending(struct hd_rows *rs)
{
    bool deadlock = rs->r->finding->kind == HD_FK_DEADLOCK;

    for (uint32_t t = 0; t < rs->r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_event *e = hd_report_pending(rs->r, (hd_tid)t);

        if (e == NULL || hd_deadlock_runs_on(rs->r, (hd_tid)t))
            continue;
        struct hd_row *row = add_row(rs, HD_ROW_PENDING, (hd_tid)t);

        row->event = e;
        row->decisive = deadlock ? hd_deadlock_is_central(rs->r, (hd_tid)t)
                                 : e->kind != HD_EV_THREAD_JOIN;
    }
}

/* Adds the pending accesses of other threads that came too late for the failing thread. */
static void add_late(struct hd_rows *rs)
{
    for (uint32_t t = 0; t < rs->r->nthreads && t < HD_MAX_THREADS; t++)
        if (hd_decisive_is_late(rs->r, &rs->decisive, (hd_tid)t)) {
            struct hd_row *row = add_row(rs, HD_ROW_PENDING, (hd_tid)t);

            row->event = hd_report_pending(rs->r, (hd_tid)t);
            row->decisive = true;
        }
}

static void add_failure(struct hd_rows *rs)
{
    const struct hd_finding *f = rs->r->finding;

    add_row(rs, HD_ROW_FAILURE, (hd_tid)f->tid)->decisive = true;
    rs->failure_pc = hd_report_failure_place(rs->r);
    add_late(rs);
}

/* Adds the state at the end: the pending operations, the second access of the race, or the failure. */
static void add_end(struct hd_rows *rs)
{
    const struct hd_report *r = rs->r;

    if (hd_report_is_stuck(r))
        add_pending(rs);
    else if (r->race != NULL) {
        add_first_access(rs, r->nevents);
        add_access(rs, &r->race->race.second);
    } else if (r->finding->tid < HD_MAX_THREADS)
        add_failure(rs);
}

/* Marks the accesses through which the order of the decisive events affects the outcome. */
static void mark_effect(struct hd_rows *rs)
{
    struct hd_effect effect;

    if (!hd_why_effect(rs->r, &rs->variables, &effect))
        return;
    for (uint32_t i = 0; i < rs->n; i++) {
        const struct hd_variable *v = rs->all[i].variable;

        if (v != NULL && (v->access == effect.write || v->access == effect.read || v->before == effect.read))
            rs->all[i].decisive = true;
    }
}

void hd_rows_open(struct hd_rows *rs, const struct hd_report *r, bool show_all)
{
    *rs = (struct hd_rows){ .r = r, .show_all = show_all, .block = hd_report_block(r) };
    hd_decisive_find(r, &rs->decisive);
    if (r->race != NULL)
        rs->first = hd_race_first(r);
    hd_variables_find(r, &rs->decisive, &rs->variables);
    rs->all = hd_zeroed((size_t)r->nevents + rs->variables.n + HD_MAX_THREADS + 4, sizeof *rs->all);
    add_events(rs);
    add_end(rs);
    mark_effect(rs);
}

void hd_rows_close(struct hd_rows *rs)
{
    free(rs->all);
    rs->all = NULL;
    hd_variables_free(&rs->variables);
}

/* ---- operations ---------------------------------------------------------------------- */

/* Writes the name of the block, derived from a pointer to it. */
static void block_name(const struct hd_rows *rs, char *buf, size_t cap)
{
    uint64_t at = rs->block->addr - HD_HEAP_BASE;
    struct hd_memory m;

    bool named = rs->block->addr >= HD_HEAP_BASE && at < HD_HEAP_BYTES &&
                 hd_memory_name(rs->r, hd_cname_make(HD_REG_HEAP, (unsigned)(at / HD_HEAP_STRIDE), at % HD_HEAP_STRIDE),
                                rs->block->addr - HD_BLOCK_LIFE, &m);

    snprintf(buf, cap, "%s", named ? m.name : "the block");
}

static void block_parts(const struct hd_rows *rs, const struct hd_row *row, struct hd_operation *o)
{
    bool freed = row->site == &rs->block->freed;

    snprintf(o->verb, sizeof o->verb, freed ? "frees" : "allocates");
    block_name(rs, o->object, sizeof o->object);
    if (!freed)
        snprintf(o->value, sizeof o->value, " (%llu byte%s)", (unsigned long long)rs->block->size,
                 rs->block->size == 1 ? "" : "s");
}

void hd_row_operation(const struct hd_rows *rs, const struct hd_row *row, struct hd_operation *o)
{
    *o = (struct hd_operation){ .outcome = "" };
    switch (row->type) {
    case HD_ROW_ACCESS:
        hd_race_operation(rs->r, row->access, o);
        break;
    case HD_ROW_VARIABLE:
        hd_variable_operation(rs->r, row->variable, o);
        break;
    case HD_ROW_BLOCK:
        block_parts(rs, row, o);
        break;
    case HD_ROW_FAILURE:
        snprintf(o->verb, sizeof o->verb, "%s", hd_finding_kind_text((enum hd_finding_kind)rs->r->finding->kind));
        break;
    default:
        hd_describe_parts(rs->r, row->event, row->type == HD_ROW_PENDING, o);
    }
}

/* ---- places -------------------------------------------------------------------------- */

uint64_t hd_row_pc(const struct hd_rows *rs, const struct hd_row *row)
{
    switch (row->type) {
    case HD_ROW_ACCESS:
        return hd_report_access_place(rs->r, row->access);
    case HD_ROW_BLOCK:
        return row->site->pc;
    case HD_ROW_VARIABLE:
        return hd_accesses_place(rs->r, row->variable->access);
    case HD_ROW_FAILURE:
        return rs->failure_pc;
    default:
        return hd_report_place(rs->r, row->event);
    }
}

/* An exit after main has returned is in the C library. */
const char *hd_row_site(const struct hd_rows *rs, const struct hd_row *row)
{
    uint64_t pc = hd_row_pc(rs, row);
    bool exits = row->type == HD_ROW_FAILURE ? rs->r->finding->kind == HD_FK_EXIT_CODE
                                             : row->type == HD_ROW_EVENT && row->event->kind == HD_EV_EXIT_BEGIN;

    return exits && !hd_symbols_is_own(rs->r->symbols, pc) ? "end of main" : hd_symbols_site(rs->r->symbols, pc);
}

void hd_row_label(const struct hd_rows *rs, const struct hd_row *row, char *buf, size_t cap)
{
    char who[16];

    hd_describe_tid(row->tid, who, sizeof who);
    switch (row->type) {
    case HD_ROW_ACCESS:
        snprintf(buf, cap, "%s, %s access", who, row->access == &rs->first ? "first" : "second");
        break;
    case HD_ROW_BLOCK:
        snprintf(buf, cap, "%s %s", who, row->site == &rs->block->freed ? "frees" : "allocates");
        break;
    case HD_ROW_VARIABLE:
        snprintf(buf, cap, "%s %s", who, row->variable->access->write ? "writes" : "reads");
        break;
    case HD_ROW_FAILURE:
        snprintf(buf, cap, "%s fails", who);
        break;
    case HD_ROW_PENDING:
        snprintf(buf, cap, "%s%s", who, rs->r->finding->kind == HD_FK_DEADLOCK   ? " waits"
                                        : rs->r->finding->kind == HD_FK_LIVELOCK ? " loops"
                                                                                 : ", not done yet");
        break;
    default:
        snprintf(buf, cap, row->step != 0 ? "%s, step %u" : "%s", who, row->step);
    }
}
