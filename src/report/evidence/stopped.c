/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stopped.c - the stacks of a thread that fails, and of threads that are blocked or loop. */
#include "report/evidence/stopped.h"

#include <stdio.h>
#include <string.h>

#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/livelock.h"
#include "report/evidence/place.h"
#include "report/evidence/words.h"

static bool in_cycle(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE && r->stands[i].tid == tid)
            return true;
    return false;
}

/* True if this thread belongs to the identity of the finding.  The other waiting threads, above all
 * those that join, differ between executions. */
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

/* Marks all stacks as blamed if none is. */
static void blame_all(struct hd_evidence_list *l)
{
    bool any = false;

    for (unsigned i = 0; i < l->n; i++)
        any |= l->all[i].blamed;
    for (unsigned i = 0; i < l->n && !any; i++)
        l->all[i].blamed = true;
}

/* A thread that hangs in its own code has no pending operation.  The finding names that thread. */
static void add_all(struct hd_evidence_list *l, const struct hd_report *r)
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

/* Gives one heading to all threads with the same stack as entry `first`: many threads often wait at
 * one place. */
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

static void group_all(struct hd_evidence_list *l, const struct hd_report *r)
{
    for (unsigned i = 0; i < l->n; i++)
        if (!l->all[i].grouped)
            group(l, r, i);
}

void hd_stopped_evidence(struct hd_evidence_list *l, const struct hd_report *r)
{
    add_all(l, r);
    group_all(l, r);
}

/* The stack of an exit after main has returned shows only the C library. */
void hd_failing_evidence(struct hd_evidence_list *l, const struct hd_report *r)
{
    bool returned = r->finding->kind == HD_FK_EXIT_CODE && !hd_symbols_is_own(r->symbols, hd_report_failure_place(r));

    if (r->finding->tid < r->nthreads && !returned)
        add_failing(l, r);
    group_all(l, r);
}

void hd_failure_message(const struct hd_report *r, char *buf, size_t cap)
{
    char words[600];
    const char *site = "";
    bool placed = true;

    if (!hd_words_of_failure(r->output, r->noutput, words, sizeof words, &placed)) {
        hd_describe_message(r, buf, cap);
        return;
    }
    if (!placed)
        site = hd_symbols_site(r->symbols, hd_report_failure_place(r));
    snprintf(buf, cap, "%s%s%s", words, site[0] != '\0' ? ", at " : "", site);
}
