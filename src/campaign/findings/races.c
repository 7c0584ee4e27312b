/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.c - combines the rows of the shared race table by race. */
#include "campaign/findings/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void hd_races_note(struct hd_races_known *k, uint64_t pair, uint64_t key)
{
    *HD_PUSH(k->of, k->n) = (struct hd_race_alias){ pair, key };
}

/* Returns the race to which the pair belongs, or 0 if no race was reported for it. */
static uint64_t key_of(const struct hd_races_known *k, uint64_t pair)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->of[i].pair == pair)
            return k->of[i].key;
    return 0;
}

/* True if failures occurred with one order of the accesses only, and the other order passed. */
static bool fails_one_way(uint32_t row)
{
    uint32_t failed = row & HD_RACE_ANY_FAILED;

    return (failed == HD_RACE_FAILED && row & HD_RACE_PASSED << 1) ||
           (failed == HD_RACE_FAILED << 1 && row & HD_RACE_PASSED);
}

/* Adds a row to the observations of a race.  Both orders count as seen only if both are in one row, that is, at
 * the same memory. */
static uint32_t joined(uint32_t all, uint32_t row)
{
    bool both = (all & HD_RACE_BOTH) == HD_RACE_BOTH || (row & HD_RACE_BOTH) == HD_RACE_BOTH;

    all |= row | (fails_one_way(row) ? HD_RACE_ONE_WAY : 0);
    return both ? all : all & ~(uint32_t)(HD_RACE_SEEN << 1);
}

void hd_races_judge(const struct hd_races_known *k, const struct hd_common *c,
                    const struct hd_result *r, struct hd_result_finding *findings)
{
    for (uint32_t i = 0; i < HD_RACE_ROWS; i++) {
        const struct hd_race_row *row = &c->race_rows[i];
        uint64_t key = row->key != 0 ? key_of(k, row->pair) : 0;

        for (size_t f = 0; key != 0 && f < r->nfindings; f++)
            if (findings[f].race_key == key)
                findings[f].seen = joined(findings[f].seen, row->seen);
    }
    for (size_t f = 0; f < r->nfindings; f++)
        if (findings[f].race_key != 0)
            findings[f].race_outcome = hd_race_outcome_of(r, findings[f].seen);
}

/* ---- predictions ------------------------------------------------------------------------ */

static void name_memory(const struct hd_prediction *p, struct hd_symbols *symbols, char *buf,
                        size_t cap)
{
    switch (hd_cname_region(p->name)) {
    case HD_REG_MODULE:
        snprintf(buf, cap, "%s", hd_symbols_variable(symbols, hd_cname_index(p->name),
                                                     hd_cname_offset(p->name)));
        break;
    case HD_REG_HEAP:
        snprintf(buf, cap, "a heap block");
        break;
    case HD_REG_STACK:
        snprintf(buf, cap, "a stack");
        break;
    default:
        snprintf(buf, cap, "mapped memory");
    }
}

static void describe(const struct hd_prediction *p, struct hd_symbols *symbols, char *buf)
{
    const struct hd_race_access *a = &p->race.first, *b = &p->race.second;
    char name[100], one[75], other[75];

    name_memory(p, symbols, name, sizeof name);
    snprintf(one, sizeof one, "%s at %.60s", a->write ? "written" : "read",
             hd_symbols_site(symbols, a->pc));
    snprintf(other, sizeof other, "%s at %.60s", b->write ? "written" : "read",
             hd_symbols_site(symbols, b->pc));
    bool swap = strcmp(one, other) > 0; /* so that the text does not depend on the order of the accesses */

    snprintf(buf, HD_PREDICTION_TEXT, "%.80s, %s and %s", name, swap ? other : one,
             swap ? one : other);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_prediction(struct hd_races_known *k, const char *text)
{
    for (size_t i = 0; i < k->npredicted; i++)
        if (strcmp(k->predicted[i], text) == 0)
            return;
    snprintf(*HD_PUSH(k->predicted, k->npredicted), sizeof *k->predicted, "%s", text);
}

void hd_races_predicted(struct hd_races_known *k, const struct hd_common *c,
                        struct hd_symbols *symbols)
{
    char text[HD_PREDICTION_TEXT];

    for (uint32_t i = 0; i < HD_MAX_PREDICTIONS && c->predictions[i].key != 0; i++) {
        const struct hd_prediction *p = &c->predictions[i];

        if (!p->ready || key_of(k, hd_race_pair(&p->race)) != 0)
            continue;
        describe(p, symbols, text);
        add_prediction(k, text);
    }
    if (k->npredicted > 1)
        qsort(k->predicted, k->npredicted, sizeof *k->predicted, by_text);
}

void hd_races_free(struct hd_races_known *k)
{
    free(k->of);
    free(k->predicted);
}
