/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.c - number formats shared by all outputs. */
#include <math.h>
#include <string.h>

#include "study/output.h"

void hd_study_thousands(char *buf, size_t cap, uint64_t n)
{
    char digits[24];
    size_t len = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), at = 0;

    for (size_t i = 0; i < len && at + 2 < cap; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
}

void hd_study_first(char *buf, size_t cap, double first)
{
    if (isinf(first))
        snprintf(buf, cap, "✗");
    else
        hd_study_thousands(buf, cap, (uint64_t)llround(first));
}

/* In percent, with enough digits to distinguish it from 0 and 100. */
static void percent(char *buf, size_t cap, double share)
{
    double p = share * 100, rest = p < 50 ? p : 100 - p;
    int digits = rest == 0 || rest >= 9.5 ? 0 : rest >= 0.95 ? 1 : rest >= 0.095 ? 2 : 4;

    snprintf(buf, cap, "%.*f", digits, p);
}

void hd_study_share(char *buf, size_t cap, uint64_t k, uint64_t n)
{
    struct hd_interval w = hd_wilson(k, n);
    char share[16], low[16], high[16];

    percent(share, sizeof share, n > 0 ? (double)k / (double)n : 0);
    percent(low, sizeof low, w.low);
    percent(high, sizeof high, w.high);
    snprintf(buf, cap, "%s%% (%s–%s)", share, low, high);
}

static void append(char *buf, size_t cap, const char *text)
{
    size_t at = strlen(buf);

    snprintf(buf + at, cap - at, "%s", text);
}

void hd_study_limits(const struct hd_study *s, char *buf, size_t cap)
{
    uint64_t limit = 0, ms = 0;
    bool several = false;
    char text[64], n[32];

    for (size_t i = 0; i < s->cells.n; i++) {
        const struct hd_cell_key *k = &s->cells.cell[i].key;

        if (s->group_of[i] < 0)
            continue;
        several |= limit != 0 && (k->limit != limit || k->budget_ms != ms);
        limit = k->limit > limit ? k->limit : limit;
        ms = k->budget_ms > ms ? k->budget_ms : ms;
    }
    hd_study_thousands(n, sizeof n, limit);
    snprintf(buf, cap, "%s executions", n);
    snprintf(text, sizeof text, " or %g s%s", (double)ms / 1000, several ? " at most (cells differ)" : "");
    append(buf, cap, text);
}

void hd_study_counts(const struct hd_group *g, char *buf, size_t cap)
{
    char first[24];

    if (g->cell == NULL) {
        buf[0] = '\0';
        return;
    }
    if (g->cells < 2) {
        hd_cell_counts(g->cell, buf, cap);
        return;
    }
    if (isinf(g->first))
        snprintf(first, sizeof first, "✗");
    else
        snprintf(first, sizeof first, "%.0f", g->first);
    snprintf(buf, cap, "%s/%llu/%llu", first,
             (unsigned long long)(g->sampled > 0 ? g->sampled : g->executions), (unsigned long long)g->buggy);
}

bool hd_study_troubled(const struct hd_cell *c)
{
    return c->state != HD_CELL_DONE || (c->other_kind && !hd_cell_found(c));
}

struct hd_study_differences hd_study_differences(const struct hd_study_report *r)
{
    struct hd_study_differences d = { .same = 0 };
    const struct hd_study *s = r->study;
    struct hd_comparison c;

    for (size_t p = 0; p < s->nprograms; p++)
        for (size_t t = 0; t < s->strategies.n; t++) {
            hd_published_compare(r->published, s->program[p]->name, s->strategies.name[t],
                                 hd_study_group(s, p, t), &c);
            d.same += c.match == HD_MATCH_SAME;
            d.open += c.match == HD_MATCH_OPEN;
            d.differs += c.match == HD_MATCH_DIFFERS;
            d.unexplained += c.match == HD_MATCH_DIFFERS && c.reason == NULL;
        }
    return d;
}
