/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.c - the rows of the common part, gathered by race. */
#include "cli/races.h"

#include <stdlib.h>

#include "base/check.h"

void hd_races_note(struct hd_races_known *k, uint64_t pair, uint64_t key)
{
    k->of = realloc(k->of, (k->n + 1) * sizeof *k->of);
    HD_INVARIANT(k->of != NULL, "out of memory");
    k->of[k->n++] = (struct hd_race_alias){ pair, key };
}

/* 0: none that was reported. */
static uint64_t key_of(const struct hd_races_known *k, uint64_t pair)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->of[i].pair == pair)
            return k->of[i].key;
    return 0;
}

/* Do failures go with one order, as far as was seen? */
static bool fails_one_way(uint32_t row)
{
    uint32_t failed = row & HD_RACE_ANY_FAILED;

    return (failed == HD_RACE_FAILED && row & HD_RACE_PASSED << 1) ||
           (failed == HD_RACE_FAILED << 1 && row & HD_RACE_PASSED);
}

/* Two orders count as both only when one row has them, that is at the same memory. */
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
            findings[f].fate = hd_fate_of(r, findings[f].seen);
}

void hd_races_free(struct hd_races_known *k)
{
    free(k->of);
}
