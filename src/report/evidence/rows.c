/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.c - the rows of an interleaving: what was done, in the order of time; between them
 * what has no event of its own but is what the finding is about (the accesses of a race,
 * the life of a block); at the end where everybody stood. */
#include "report/text/table.h"

#include <stdlib.h>

#include "base/check.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/memory.h"
#include "report/evidence/race.h"
#include "report/names/place.h"

/* A fault that did not happen is none of a reader's business. */
static bool is_no_fault(const struct hd_event *e)
{
    return hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN;
}

static bool is_shown(const struct hd_table *tb, const struct hd_event *e)
{
    if (e->kind == HD_EV_NONE || e->tid >= HD_MAX_THREADS)
        return false;
    return tb->t->all ||
           (!hd_report_is_local(e) && !is_no_fault(e) && e->kind != HD_EV_EXIT_END);
}

static const char *why_left(const struct hd_event *before, const struct hd_event *now)
{
    static const char *const text[] = { [HD_SWITCH_PREEMPTED] = "preempted",
                                        [HD_SWITCH_BLOCKED] = "blocked",
                                        [HD_SWITCH_YIELDED] = "yielded",
                                        [HD_SWITCH_FINISHED] = "finished" };

    return text[hd_describe_switch(before, now)];
}

static struct hd_row *add_row(struct hd_table *tb, enum hd_row_type type, hd_tid tid)
{
    struct hd_row *row = &tb->rows[tb->n++];

    *row = (struct hd_row){ .type = type, .tid = tid, .left = HD_NO_TID };
    return row;
}

static void add_access(struct hd_table *tb, const struct hd_race_access *a)
{
    struct hd_row *row = add_row(tb, HD_ROW_ACCESS, a->tid);

    row->access = a;
    row->decisive = true;
}

/* After so many events that were kept. */
static void add_first_access(struct hd_table *tb, uint32_t nevents)
{
    const struct hd_race_info *race = tb->r->race;

    if (race != NULL && tb->first.position == race->nskipped + nevents &&
        tb->first.tid < HD_MAX_THREADS)
        add_access(tb, &tb->first);
}

/* What happened to the block after decision number `from`, and not after `to`. */
static void add_block(struct hd_table *tb, uint32_t from, uint32_t to)
{
    const struct hd_block_info *b = tb->block;
    const struct hd_heap_site *sites[2] = { &b->allocated, &b->freed };

    for (unsigned i = 0; i < 2; i++)
        if (sites[i]->pc != 0 && sites[i]->tid < HD_MAX_THREADS && sites[i]->step >= from &&
            sites[i]->step < to) {
            struct hd_row *row = add_row(tb, HD_ROW_BLOCK, sites[i]->tid);

            row->site = sites[i];
            row->decisive = i == 1 || tb->r->finding->kind == HD_FK_LEAK;
        }
}

static void add_event(struct hd_table *tb, uint32_t i, uint32_t step, const struct hd_event *before)
{
    const struct hd_event *e = &tb->r->events[i];
    struct hd_row *row = add_row(tb, HD_ROW_EVENT, e->tid);

    row->event = e;
    row->step = step;
    row->decisive = hd_decisive_has(&tb->decisive, i);
    if (before != NULL && before->tid != e->tid) {
        row->left = before->tid;
        row->why = why_left(before, e);
    }
}

static void add_events(struct hd_table *tb)
{
    const struct hd_event *before = NULL;
    uint32_t first = hd_report_first_step(tb->r), step = first;
    hd_tid section = HD_NO_TID;

    for (uint32_t i = 0; i < tb->r->nevents; i++) {
        const struct hd_event *e = &tb->r->events[i];
        bool local = hd_report_is_inner(e, &section);

        add_first_access(tb, i);
        if (!local) {
            if (tb->block != NULL)
                add_block(tb, step == first ? 0 : step, step + 1);
            step++;
        }
        if (is_shown(tb, e) || hd_decisive_has(&tb->decisive, i)) {
            add_event(tb, i, local ? 0 : step, before);
            before = e;
        } else if (e->kind == HD_EV_THREAD_END) {
            before = e; /* shows as the reason of the switch */
        }
    }
    if (tb->block != NULL)
        add_block(tb, step, UINT32_MAX);
}

static void add_pending(struct hd_table *tb)
{
    bool deadlock = tb->r->finding->kind == HD_FK_DEADLOCK;

    for (uint32_t t = 0; t < tb->r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_event *e = hd_report_pending(tb->r, (hd_tid)t);

        if (e == NULL || hd_deadlock_runs_on(tb->r, (hd_tid)t))
            continue;
        struct hd_row *row = add_row(tb, HD_ROW_PENDING, (hd_tid)t);

        row->event = e;
        row->decisive = deadlock ? hd_deadlock_is_central(tb->r, (hd_tid)t)
                                 : e->kind != HD_EV_THREAD_JOIN;
    }
}

/* What others have not done yet that the failing thread needed. */
static void add_late(struct hd_table *tb)
{
    for (uint32_t t = 0; t < tb->r->nthreads && t < HD_MAX_THREADS; t++)
        if (hd_decisive_is_late(tb->r, &tb->decisive, (hd_tid)t)) {
            struct hd_row *row = add_row(tb, HD_ROW_PENDING, (hd_tid)t);

            row->event = hd_report_pending(tb->r, (hd_tid)t);
            row->decisive = true;
        }
}

/* The failing thread may be in a library: then its last place in code of the user. */
static uint64_t failing_pc(const struct hd_report *r)
{
    uint64_t pcs[HD_MAX_FRAMES];
    unsigned n = hd_text_stack_pcs(r, (hd_tid)r->finding->tid, r->finding->pc, pcs);
    struct hd_frame f[HD_MAX_FRAMES];

    for (unsigned i = 0; i < n; i++) {
        const struct hd_frame *own = hd_symbols_own_frame(
            f, hd_symbols_frames(r->symbols, pcs[i] + (i == 0), true, f, HD_MAX_FRAMES));

        if (own->line > 0 && !own->runtime && !hd_is_system_file(own->file))
            return pcs[i] + (i == 0);
    }
    return r->finding->pc;
}

static void add_failure(struct hd_table *tb)
{
    const struct hd_finding *f = tb->r->finding;

    add_row(tb, HD_ROW_FAILURE, (hd_tid)f->tid)->decisive = true;
    tb->failure_pc = hd_symbols_is_own(tb->r->symbols, f->pc) ? f->pc : failing_pc(tb->r);
    add_late(tb);
}

/* What the end looked like: the failing thread, or what everybody waits for. */
static void add_end(struct hd_table *tb)
{
    const struct hd_report *r = tb->r;

    if (hd_report_is_stuck(r))
        add_pending(tb);
    else if (r->race != NULL) {
        add_first_access(tb, r->nevents);
        add_access(tb, &r->race->race.second);
    } else if (r->finding->tid < HD_MAX_THREADS)
        add_failure(tb);
}

void hd_table_open(struct hd_table *tb, const struct hd_text *t, const struct hd_report *r)
{
    *tb = (struct hd_table){ .t = t, .r = r, .block = hd_memory_block(r) };
    hd_decisive_find(r, &tb->decisive);
    if (r->race != NULL)
        tb->first = hd_race_first(r);
    tb->rows = calloc((size_t)r->nevents + HD_MAX_THREADS + 4, sizeof *tb->rows);
    HD_INVARIANT(tb->rows != NULL, "out of memory");
    add_events(tb);
    add_end(tb);
}

void hd_table_close(struct hd_table *tb)
{
    free(tb->rows);
    tb->rows = NULL;
}

/* ---- places -------------------------------------------------------------------------- */

uint64_t hd_table_pc(const struct hd_table *tb, const struct hd_row *row)
{
    switch (row->type) {
    case HD_ROW_ACCESS:
        return row->access->pc;
    case HD_ROW_BLOCK:
        return row->site->pc;
    case HD_ROW_FAILURE:
        return tb->failure_pc;
    default:
        return hd_report_place(tb->r, row->event);
    }
}

void hd_table_label(const struct hd_table *tb, const struct hd_row *row, char *buf, size_t cap)
{
    char who[16];

    hd_describe_tid(row->tid, who, sizeof who);
    switch (row->type) {
    case HD_ROW_ACCESS:
        snprintf(buf, cap, "%s, %s access", who, row->access == &tb->first ? "first" : "second");
        break;
    case HD_ROW_BLOCK:
        snprintf(buf, cap, "%s %s", who, row->site == &tb->block->freed ? "frees" : "allocates");
        break;
    case HD_ROW_FAILURE:
        snprintf(buf, cap, "%s fails", who);
        break;
    case HD_ROW_PENDING:
        snprintf(buf, cap, "%s%s", who, tb->r->finding->kind == HD_FK_DEADLOCK   ? " waits"
                                        : tb->r->finding->kind == HD_FK_LIVELOCK ? " loops"
                                                                                 : ", not done yet");
        break;
    default:
        snprintf(buf, cap, row->step != 0 ? "%s, step %u" : "%s", who, row->step);
    }
}
