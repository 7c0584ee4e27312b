/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warnings.c - turns warning records into text. */
#include "campaign/findings/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "campaign/rerun/witness.h"
#include "report/evidence/warning.h"

void hd_warnings_add(struct hd_warnings *w, const struct hd_wire *wire, const struct hd_finding *f)
{
    *HD_PUSH(w->kept, w->nkept) = (struct hd_kept_warning){ wire, f };
}

/* ---- which warnings remain valid ----------------------------------------------------- */

/* True if the search explored all interleavings to their ends without a deadlock. */
static bool deadlock_is_refuted(const struct hd_result *r)
{
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].kind != HD_FK_DATA_RACE)
            return false;
    return hd_result_complete(r) && r->config->bound < 0 && !r->config->timeouts_idle &&
           r->totals.loop_cuts == 0 && r->totals.grace_cuts == 0;
}

/* True if a thread of the deadlock in r waits for the lock that step s of the warning names, and at the
 * same place in the code.  Many locks on heap and stack have no distinct name, so for them only the place
 * is compared. */
static bool waits_for(const struct hd_report *r, const struct hd_lock_step *s)
{
    bool named = hd_cname_region(r->wire->common->objects[s->wanted].name) == HD_REG_MODULE;

    for (uint32_t t = 0; t < r->nthreads; t++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)t);

        if (e != NULL && e->pc == s->wanted_pc && (!named || e->obj == s->wanted))
            return true;
    }
    return false;
}

/* True if f is the deadlock that the warning describes. */
static bool is_that(const struct hd_report *w, const struct hd_finding *f)
{
    struct hd_report r;
    uint32_t there = 0;

    if (f->kind != HD_FK_DEADLOCK)
        return false;
    hd_report_open(&r, w->wire, f, w->symbols);
    for (uint32_t k = 0; k < w->nlocks; k++)
        there += waits_for(&r, &w->locks[k]);
    return there == w->nlocks;
}

/* True if that deadlock is among the findings, reported or suppressed. */
static bool has_happened(const struct hd_result *r, const struct hd_suppression_state *j,
                         const struct hd_report *w)
{
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].record != NULL && is_that(w, r->findings[i].record))
            return true;
    for (size_t i = 0; i < j->ncovered; i++)
        if (is_that(w, j->covered[i].finding))
            return true;
    return false;
}

/* ---- text ---------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const struct hd_result_warning *wa = a, *wb = b;

    return wa->kind != wb->kind ? (wa->kind > wb->kind) - (wa->kind < wb->kind)
                                : strcmp(wa->message, wb->message);
}

static bool is_told(const struct hd_warnings *all, const struct hd_result_warning *w)
{
    for (size_t i = 0; i < all->n; i++)
        if (by_text(&all->list[i], w) == 0)
            return true;
    return false;
}

static void tell(struct hd_warnings *all, const struct hd_report *r)
{
    struct hd_result_warning w = { .kind = (enum hd_warning_kind)r->finding->warning, .report = *r };

    hd_warning_message(r, w.message, sizeof w.message);
    if (!is_told(all, &w))
        *HD_PUSH(all->list, all->n) = w;
}

/* Creates the details of a warning.  Only warnings that are shown are replayed for this. */
static void add_details(struct hd_session *s, struct hd_result_warning *w)
{
    uint32_t events[HD_DECISIVE_EVENTS];
    unsigned n = hd_warning_events(&w->report, events);
    size_t size;
    FILE *out = open_memstream(&w->details, &size);

    if (out == NULL)
        return;
    if (n > 0)
        w->report.witness = hd_witness_events(s, &w->report, events, n);
    hd_warning_details(out, &w->report);
    fclose(out);
    hd_witness_free(w->report.witness);
    w->report.witness = NULL;
}

void hd_warnings_judge(struct hd_warnings *all, const struct hd_suppression_state *j, struct hd_result *r)
{
    bool refuted = deadlock_is_refuted(r);

    for (size_t i = 0; i < all->nkept; i++) {
        const struct hd_kept_warning *k = &all->kept[i];
        struct hd_report w;

        hd_report_open(&w, k->wire, k->record, hd_session_symbols(j->s));
        if (k->record->warning != HD_WARN_LOCK_ORDER || !(refuted || has_happened(r, j, &w)))
            tell(all, &w);
    }
    all->nkept = 0;
    if (all->n > 1)
        qsort(all->list, all->n, sizeof *all->list, by_text);
    for (size_t i = 0; i < all->n && i < HD_WARNINGS_SHOWN; i++)
        if (all->list[i].details == NULL)
            add_details(j->s, &all->list[i]);
    r->warnings = all->list;
    r->nwarnings = all->n;
}

void hd_warnings_free(struct hd_warnings *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->list[i].details);
    free(all->list);
    free(all->kept);
}
