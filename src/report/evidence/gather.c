/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.c - the stacks of threads that fail or cannot get further, of decisive events, and
 * of the life of a heap block; race.c and deadlock.c add what only they know. */
#include "report/evidence/gather.h"

#include <stdio.h>
#include <string.h>

#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/livelock.h"
#include "report/evidence/race.h"
#include "report/evidence/rows.h"
#include "report/evidence/stack.h"

/* ---- threads that cannot get further -------------------------------------------------- */

static bool in_cycle(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE && r->stands[i].tid == tid)
            return true;
    return false;
}

/* Is this thread the reason why the others cannot get further?  The other threads that wait,
 * most of all those that wait for the end of others, are not the same in every execution. */
static bool is_to_blame(const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    if (r->finding->tid < r->nthreads)
        return tid == r->finding->tid;
    if (r->finding->kind == HD_FK_LIVELOCK)
        return hd_livelock_explains(r, tid);
    if (r->nstands > 0 && r->stands[0].how == HD_BLOCKED_STATE_IN_CYCLE)
        return in_cycle(r, tid);
    return e->kind != HD_EV_THREAD_JOIN;
}

static void add_stopped(struct hd_evidence_list *l, const struct hd_report *r, hd_tid tid,
                        const struct hd_event *e)
{
    char who[64], what[300], title[400];

    hd_describe_thread(r, tid, who, sizeof who);
    hd_describe_pending(r, e, what, sizeof what);
    snprintf(title, sizeof title, "%s %s: %s", who,
             r->finding->kind == HD_FK_DEADLOCK ? "waits" : "is here", what);
    struct hd_evidence item = hd_evidence_titled(HD_ROLE_STOPPED, tid, title);

    item.blamed = is_to_blame(r, tid, e);
    hd_evidence_stopped(l, r, &item, e->pc);
}

static void add_failing(struct hd_evidence_list *l, const struct hd_report *r)
{
    const struct hd_finding *f = r->finding;
    char who[64], title[200];

    hd_describe_thread(r, (hd_tid)f->tid, who, sizeof who);
    snprintf(title, sizeof title, "%s in %s", hd_finding_kind_text((enum hd_finding_kind)f->kind), who);
    struct hd_evidence item = hd_evidence_titled(HD_ROLE_FAILS, (hd_tid)f->tid, title);

    hd_evidence_stopped(l, r, &item, f->pc);
}

/* When none is to blame, all are. */
static void blame_all(struct hd_evidence_list *l)
{
    bool any = false;

    for (unsigned i = 0; i < l->n; i++)
        any |= l->all[i].blamed;
    for (unsigned i = 0; i < l->n && !any; i++)
        l->all[i].blamed = true;
}

/* A thread that hangs in its own code has no pending operation, and is named. */
static void gather_stopped(struct hd_evidence_list *l, const struct hd_report *r)
{
    const struct hd_finding *f = r->finding;

    for (uint32_t t = 0; t < r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)t);

        if (e != NULL && !hd_deadlock_runs_on(r, (hd_tid)t))
            add_stopped(l, r, (hd_tid)t, e);
        else if (e == NULL && f->kind == HD_FK_LIVELOCK && t == f->tid)
            add_failing(l, r);
    }
    blame_all(l);
}

/* Many threads often wait at the same place: one heading for all of them. */
static void group(struct hd_evidence_list *l, const struct hd_report *r, unsigned first)
{
    enum { WIDTH = 80 };
    struct hd_evidence *leader = &l->all[first];
    char *head = leader->heading, who[64];
    unsigned more = 0;

    snprintf(head, sizeof leader->heading, "Stack of ");
    for (unsigned i = first; i < l->n; i++) {
        struct hd_evidence *e = &l->all[i];

        if (e->grouped || !hd_evidence_same_stack(leader, e))
            continue;
        hd_describe_thread(r, e->tid, who, sizeof who);
        size_t used = strlen(head);

        if (used + strlen(who) + 16 < WIDTH)
            snprintf(head + used, sizeof leader->heading - used, "%s%s", i > first ? ", " : "", who);
        else
            more++;
        e->grouped = i > first;
    }
    if (more > 0)
        snprintf(head + strlen(head), sizeof leader->heading - strlen(head), " and %u more", more);
}

/* ---- what led there --------------------------------------------------------------------- */

/* Decisive events whose place alone does not say how the thread came there. */
static void gather_events(struct hd_evidence_list *l, const struct hd_report *r)
{
    struct hd_rows rows;

    if (r->witness == NULL)
        return;
    hd_rows_open(&rows, r, false);
    for (uint32_t i = 0; i < rows.n; i++) {
        const struct hd_row *row = &rows.all[i];
        const struct hd_capture *c;
        struct hd_frame f[2];
        char label[64], op[320];

        if (!row->decisive || row->type != HD_ROW_EVENT ||
            (c = hd_report_witnessed(r, (uint32_t)(row->event - r->events))) == NULL ||
            hd_stack_captured_frames(r, c, f, 2) < 2 || hd_deadlock_shows(r, row->event))
            continue;
        hd_row_label(&rows, row, label, sizeof label);
        hd_describe_operation(r, row->event, op, sizeof op);
        struct hd_evidence item = { .role = HD_ROLE_EVENT, .tid = row->tid };

        snprintf(item.title, sizeof item.title, "%s: %s", label, op);
        snprintf(item.heading, sizeof item.heading, "Stack of %s: %s", label, op);
        hd_evidence_captured(l, r, &item, c);
    }
    hd_rows_close(&rows);
}

/* Decisions are numbered from 1 in the table, and what a thread does after one of them is done
 * before the next. */
static void when(const struct hd_report *r, uint32_t step, char *buf, size_t cap)
{
    if (step == 0)
        snprintf(buf, cap, "before step 1");
    else if (step >= r->ndecisions)
        snprintf(buf, cap, "after step %u", step);
    else
        snprintf(buf, cap, "between steps %u and %u", step, step + 1);
}

static void add_site(struct hd_evidence_list *l, const struct hd_report *r,
                     const struct hd_heap_site *s, const char *what)
{
    uint64_t pc[1 + HD_SITE_CALLS] = { s->pc };
    char who[64], time[64], title[200];
    unsigned n = 1;

    while (n <= HD_SITE_CALLS && s->calls[n - 1] != 0) {
        pc[n] = s->calls[n - 1];
        n++;
    }
    hd_describe_thread(r, s->tid, who, sizeof who);
    when(r, s->step, time, sizeof time);
    snprintf(title, sizeof title, "The block was %s by %s %s", what, who, time);
    struct hd_evidence item = hd_evidence_titled(HD_ROLE_BLOCK, s->tid, title);

    hd_evidence_calls(l, r, &item, pc, n);
}

/* ---- all of it ------------------------------------------------------------------------------ */

void hd_evidence_gather(struct hd_evidence_list *l, const struct hd_report *r)
{
    const struct hd_block_info *block = hd_report_block(r);

    *l = (struct hd_evidence_list){ .n = 0 };
    if (r->race != NULL)
        hd_race_evidence(l, r);
    else if (hd_report_is_stuck(r))
        gather_stopped(l, r);
    else if (r->finding->tid < r->nthreads)
        add_failing(l, r);
    for (unsigned i = 0; i < l->n && r->race == NULL; i++)
        if (!l->all[i].grouped)
            group(l, r, i);
    if (r->finding->kind == HD_FK_DEADLOCK)
        hd_deadlock_evidence(l, r);
    gather_events(l, r);
    if (block != NULL) {
        add_site(l, r, &block->allocated, "allocated");
        add_site(l, r, &block->freed, "freed");
    }
}

unsigned hd_evidence_main(const struct hd_evidence_list *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].blamed)
            return i;
    return 0;
}
