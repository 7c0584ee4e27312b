/* SPDX-License-Identifier: BSD-2-Clause
 *
 * facts.c - see facts.h. */
#include "campaign/spread/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "campaign/spread/part.h"

/* Adds a number to a list of distinct numbers.  Returns its index, or max if there is no room. */
static uint32_t note(uint64_t *list, uint32_t *n, uint32_t max, uint64_t value)
{
    uint32_t i = 0;

    while (i < *n && list[i] != value)
        i++;
    if (i < *n || i == max)
        return i;
    list[(*n)++] = value;
    return i;
}

static void note_loop(struct hd_facts *f, uint64_t site, uint32_t rounds)
{
    uint32_t before = f->nloops, i = note(f->loops, &f->nloops, HD_MAX_LOOPS, site);

    if (i < HD_MAX_LOOPS && (i == before || rounds < f->loop_rounds[i]))
        f->loop_rounds[i] = rounds;
}

static void note_assumption(struct hd_facts *f, const struct hd_assumption *a)
{
    uint32_t i = 0;

    while (i < f->nassumptions && strcmp(f->assumptions[i].where, a->where) != 0)
        i++;
    if (i == HD_MAX_ASSUMPTIONS)
        return;
    if (i == f->nassumptions) {
        f->assumptions[f->nassumptions++] = *a;
        return;
    }
    f->assumptions[i].failed |= a->failed;
    f->assumptions[i].passed |= a->passed;
}

static void note_transaction(struct hd_facts *f, const struct hd_tx_site *t)
{
    uint32_t i = 0;

    while (i < f->ntx_sites && f->tx_sites[i].pc != t->pc)
        i++;
    if (i == HD_MAX_TX_SITES)
        return;
    if (i == f->ntx_sites)
        f->tx_sites[f->ntx_sites++] = *t;
    f->tx_sites[i].aborted |= t->aborted;
}

static void note_longest(struct hd_facts *f, const struct hd_longest *l)
{
    if (l->steps > f->longest.steps)
        f->longest = *l;
}

static void take_linear(struct hd_facts *f, const struct hd_linear_state *s)
{
    f->linear.judged = s->judged;
    f->linear.by_rule = s->by_rule;
    f->linear.overlapped = s->overlapped;
    memcpy(f->linear.saved, s->saved, sizeof f->linear.saved);
}

static void put_linear(const struct hd_facts *f, struct hd_linear_state *s)
{
    s->judged = f->linear.judged;
    s->by_rule = f->linear.by_rule;
    s->overlapped = f->linear.overlapped != 0;
    memcpy(s->saved, f->linear.saved, sizeof s->saved);
}

static void merge_linear(struct hd_facts *into, const struct hd_facts *one)
{
    into->linear.judged += one->linear.judged;
    into->linear.by_rule += one->linear.by_rule;
    into->linear.overlapped |= one->linear.overlapped;
    for (unsigned i = 0; i < HD_LIN_COMPONENTS; i++)
        if (one->linear.saved[i].complete)
            hd_lin_count(into->linear.saved, one->linear.saved[i].name, (enum hd_lin_rule)one->linear.saved[i].rule,
                         one->linear.saved[i].n);
}

static uint32_t at_most(uint32_t n, uint32_t max)
{
    return n < max ? n : max;
}

static void add_wire(struct hd_facts *f, const struct hd_wire *w)
{
    f->untried |= w->untried;
    f->workers_lost += w->workers_lost;
    if (w->forked && !f->forked) {
        f->forked = 1;
        memcpy(f->fork_reason, w->fork_reason, sizeof f->fork_reason);
    }
    for (uint32_t i = 0; i < at_most(w->nweak, HD_MAX_WEAK); i++)
        note(f->weak, &f->nweak, HD_MAX_WEAK, w->weak[i]);
    for (uint32_t i = 0; i < at_most(w->nassumptions, HD_MAX_ASSUMPTIONS); i++)
        note_assumption(f, &w->assumptions[i]);
    for (uint32_t i = 0; i < at_most(w->ntx_sites, HD_MAX_TX_SITES); i++)
        note_transaction(f, &w->tx_sites[i]);
    for (uint32_t i = 0; i < at_most(w->nloops, HD_MAX_LOOPS); i++)
        note_loop(f, w->loops[i], w->loop_rounds[i]);
    note_longest(f, &w->longest);
}

void hd_facts_of(struct hd_session *s, struct hd_facts *out)
{
    memset(out, 0, sizeof *out);
    hd_session_totals(s, &out->totals);
    out->ledger = s->ledger;
    out->hangs = s->watched.hangs;
    out->seconds = s->watched.seconds;
    take_linear(out, &s->wires.common->linear);
    for (uint32_t i = 0; i < s->wires.n; i++)
        add_wire(out, s->wires.wire[i]);
}

void hd_facts_merge(struct hd_facts *into, const struct hd_facts *one, bool *any)
{
    if (!*any) {
        *into = *one;
        *any = true;
        return;
    }
    hd_totals_merge(&into->totals, &one->totals);
    hd_ledger_merge(&into->ledger, &one->ledger);
    into->untried |= one->untried;
    into->hangs += one->hangs;
    into->workers_lost += one->workers_lost;
    into->seconds += one->seconds;
    merge_linear(into, one);
    if (one->forked && !into->forked) {
        into->forked = 1;
        memcpy(into->fork_reason, one->fork_reason, sizeof into->fork_reason);
    }
    for (uint32_t i = 0; i < one->nweak; i++)
        note(into->weak, &into->nweak, HD_MAX_WEAK, one->weak[i]);
    for (uint32_t i = 0; i < one->nassumptions; i++)
        note_assumption(into, &one->assumptions[i]);
    for (uint32_t i = 0; i < one->ntx_sites; i++)
        note_transaction(into, &one->tx_sites[i]);
    for (uint32_t i = 0; i < one->nloops; i++)
        note_loop(into, one->loops[i], one->loop_rounds[i]);
    note_longest(into, &one->longest);
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* The header of a run of bytes.  Most of the struct is zero, so only runs of other bytes are stored, each with its
 * offset and size. */
struct run {
    uint32_t at, size;
};

enum { GAP = 32 }; /* a run ends at this many zero bytes */

struct hd_bytes hd_facts_pack(const struct hd_facts *f)
{
    const unsigned char *p = (const unsigned char *)f;
    struct hd_bytes out = { NULL, 0 };
    uint32_t total = sizeof *f;

    hd_bytes_add(&out, &total, sizeof total);
    for (uint32_t at = 0; at < total;) {
        uint32_t end = at, zeros = 0;

        for (; end < total && zeros < GAP; end++)
            zeros = p[end] == 0 ? zeros + 1 : 0;
        struct run r = { at, end - at - zeros };

        if (r.size > 0) {
            hd_bytes_add(&out, &r, sizeof r);
            hd_bytes_add(&out, p + at, r.size);
        }
        at = end;
    }
    return out;
}

bool hd_facts_unpack(struct hd_facts *f, const struct hd_bytes *b)
{
    const char *p = b->data;
    uint32_t total;

    memset(f, 0, sizeof *f);
    if (b->size < sizeof total)
        return false;
    memcpy(&total, p, sizeof total);
    for (size_t at = sizeof total; total == sizeof *f && at < b->size;) {
        struct run r;

        if (b->size - at < sizeof r)
            return false;
        memcpy(&r, p + at, sizeof r);
        at += sizeof r;
        if (r.at > total || r.size > total - r.at || r.size > b->size - at)
            return false;
        memcpy((char *)f + r.at, p + at, r.size);
        at += r.size;
    }
    return total == sizeof *f;
}

/* ---- the whole search -------------------------------------------------------------------- */

void hd_facts_put(const struct hd_facts *f, struct hd_session *s)
{
    struct hd_wire *w = s->wire;

    for (uint32_t i = 0; i < s->wires.n; i++) {
        struct hd_wire *one = s->wires.wire[i];

        one->campaign.totals[one->campaign.current & 1] = i == 0 ? f->totals : (struct hd_totals){ .exhausted = 1, .complete = 1,
                                                                                                  .bound = -1 };
        one->nweak = one->nassumptions = one->ntx_sites = one->nloops = 0;
        one->longest = (struct hd_longest){ 0 };
        one->workers_lost = one->untried = one->forked = 0;
    }
    s->ledger = f->ledger;
    s->watched.hangs = f->hangs;
    w->untried = f->untried;
    w->workers_lost = f->workers_lost;
    w->forked = f->forked;
    memcpy(w->fork_reason, f->fork_reason, sizeof w->fork_reason);
    w->nweak = f->nweak;
    memcpy(w->weak, f->weak, sizeof w->weak);
    w->nassumptions = f->nassumptions;
    memcpy(w->assumptions, f->assumptions, sizeof w->assumptions);
    w->ntx_sites = f->ntx_sites;
    memcpy(w->tx_sites, f->tx_sites, sizeof w->tx_sites);
    w->nloops = f->nloops;
    memcpy(w->loops, f->loops, sizeof w->loops);
    memcpy(w->loop_rounds, f->loop_rounds, sizeof w->loop_rounds);
    w->longest = f->longest;
    put_linear(f, &s->wires.common->linear);
}
