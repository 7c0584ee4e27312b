/* SPDX-License-Identifier: BSD-2-Clause
 *
 * merge.c - merges the findings and totals of several workers.  Findings are few, so they
 * are kept in plain lists; their records stay on the wires. */
#include "conductor/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

struct hd_held {
    const struct hd_wire *wire;
    const struct hd_finding *f;
};

static bool samples(const struct hd_merge *m)
{
    return m->wires->wire[0]->config.by_index;
}

/* ---- totals -------------------------------------------------------------------------- */

static struct hd_totals totals_of(const struct hd_merge *m, uint32_t worker)
{
    const struct hd_wire *w = m->wires->wire[worker];
    struct hd_totals t = *hd_campaign_totals(&w->campaign);

    if (t.first_buggy == 0)
        return t;
    if (samples(m))
        t.first_buggy = w->config.first_index + (t.first_buggy - 1) * m->wires->n + worker + 1;
    else if (m->wires->n == 1)
        return t;
    else
        t.first_buggy = m->first_execution;
    return t;
}

void hd_merge_totals(const struct hd_merge *m, struct hd_totals *out)
{
    *out = totals_of(m, 0);
    for (uint32_t i = 1; i < m->wires->n; i++) {
        struct hd_totals one = totals_of(m, i);

        hd_totals_merge(out, &one);
    }
}

/* ---- reading new records ------------------------------------------------------------------------ */

static void take_in(struct hd_merge *m, uint32_t worker)
{
    const struct hd_wire *w = m->wires->wire[worker];

    for (;;) {
        const struct hd_finding *last = m->seen[worker];
        const struct hd_finding *f = last == NULL ? hd_wire_finding_first(w)
                                                  : hd_wire_finding_next(w, last);

        if (f == NULL)
            return;
        m->seen[worker] = f;
        if (m->judge != NULL && f->warning == HD_WARN_NONE)
            __atomic_store_n(&((struct hd_finding *)(uintptr_t)f)->judgement,
                             m->judge(m->ctx, w, f), __ATOMIC_RELEASE);
        *HD_PUSH(m->held, m->nheld) = (struct hd_held){ w, f };
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int hd_merge_compare(const struct hd_finding *a, const struct hd_finding *b)
{
    const struct hd_section *sa = hd_finding_section(a, HD_SEC_DECISIONS, HD_NO_TID);
    const struct hd_section *sb = hd_finding_section(b, HD_SEC_DECISIONS, HD_NO_TID);
    uint32_t na = sa != NULL ? sa->count : 0, nb = sb != NULL ? sb->count : 0;

    for (uint32_t i = 0; i < na && i < nb; i++) {
        const struct hd_decision *da = (const struct hd_decision *)(const void *)(sa + 1) + i;
        const struct hd_decision *db = (const struct hd_decision *)(const void *)(sb + 1) + i;

        if (da->chosen != db->chosen)
            return compare_numbers(da->chosen, db->chosen);
    }
    return compare_numbers(na, nb);
}

/* Findings of one execution stay in the order of their records. */
static int compare_held(const void *pa, const void *pb)
{
    const struct hd_held *a = pa, *b = pb;
    int c = a->wire->config.by_index ? compare_numbers(a->f->index, b->f->index)
                                     : hd_merge_compare(a->f, b->f);

    if (c == 0)
        c = compare_numbers(a->wire->config.worker, b->wire->config.worker);
    return c != 0 ? c : compare_numbers(a->f->number, b->f->number);
}

/* ---- delivering findings ----------------------------------------------------------------------- */

/* Returns an index such that every execution with a smaller index has ended.  A caller that calls this before
 * take_in also gets all findings of these executions. */
static uint64_t all_done_below(const struct hd_merge *m)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < m->wires->n; i++) {
        const struct hd_wire *w = m->wires->wire[i];
        uint64_t next = w->config.first_index + hd_campaign_totals(&w->campaign)->begun * m->wires->n + i;

        if (__atomic_load_n(&w->phase, __ATOMIC_ACQUIRE) != HD_PHASE_DONE && next < least)
            least = next;
    }
    return least;
}

/* Some call stacks that lead to a finding may be suppressed and others not, so the key distinguishes them. */
static uint64_t key_of(const struct hd_finding *f)
{
    return f->judgement == HD_SUPPRESSED ? hd_hash_mix(f->signature, HD_SUPPRESSED) : f->signature;
}

static bool is_known(const struct hd_merge *m, const struct hd_finding *f)
{
    for (size_t i = 0; i < m->nknown; i++)
        if (m->known[i] == key_of(f))
            return true;
    return false;
}

/* True for a finding that a single worker would not have reached, because it would have stopped at
 * an earlier one. */
static bool comes_too_late(const struct hd_merge *m, const struct hd_held *h)
{
    return m->stopped && samples(m) && !h->wire->config.keep_going &&
           h->f->index > m->stopped_index;
}

/* In a continued search, executions are numbered from the beginning of the interrupted one. */
static void number_execution(const struct hd_merge *m, const struct hd_finding *record)
{
    struct hd_finding *f = (struct hd_finding *)(uintptr_t)record; /* complete records may be changed here */
    struct hd_totals t;

    if (m->wires->n == 1 || samples(m) || f->numbered)
        return;
    hd_merge_totals(m, &t);
    f->execution = t.executions > 0 ? t.executions : 1;
    f->numbered = 1;
}

static void hand_on_one(struct hd_merge *m, const struct hd_held *h, hd_merge_fn *hand_on, void *ctx)
{
    if ((m->wires->n > 1 || m->judge != NULL) && (is_known(m, h->f) || comes_too_late(m, h)))
        return;
    number_execution(m, h->f);
    bool counts = h->f->warning == HD_WARN_NONE && h->f->judgement != HD_SUPPRESSED;

    if (m->first_execution == 0 && counts)
        m->first_execution = h->f->execution;
    if (!m->stopped && counts &&
        hd_config_stops_at(&h->wire->config, (enum hd_finding_kind)h->f->kind)) {
        m->stopped = true;
        m->stopped_index = h->f->index;
    }
    *HD_PUSH(m->known, m->nknown) = key_of(h->f);
    hand_on(ctx, h->wire, h->f);
}

void hd_merge_findings(struct hd_merge *m, bool at_end, hd_merge_fn *hand_on, void *ctx)
{
    uint64_t certain = at_end || !samples(m) || m->wires->n == 1 ? UINT64_MAX : all_done_below(m);
    size_t n = 0;

    for (uint32_t i = 0; i < m->wires->n; i++)
        take_in(m, i);
    if (m->nheld == 0)
        return;
    if (m->wires->n > 1)
        qsort(m->held, m->nheld, sizeof *m->held, compare_held);
    while (n < m->nheld && (certain == UINT64_MAX || m->held[n].f->index < certain))
        hand_on_one(m, &m->held[n++], hand_on, ctx);
    m->nheld -= n;
    memmove(m->held, m->held + n, m->nheld * sizeof *m->held);
}

void hd_merge_free(struct hd_merge *m)
{
    free(m->held);
    free(m->known);
}
