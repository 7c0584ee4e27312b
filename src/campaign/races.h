/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.h - from what the workers have seen of pairs of places to what is said of races: a
 * person knows lines, and several pairs may be one race to them. */
#ifndef HD_CAMPAIGN_RACES_H
#define HD_CAMPAIGN_RACES_H

#include "report/verdict/result.h"

struct hd_races_known {
    struct hd_race_alias {
        uint64_t pair; /* hd_race_pair */
        uint64_t key;  /* hd_race_key */
    } *of;
    size_t n;
    char (*predicted)[HD_PREDICTION_TEXT];
    size_t npredicted;
};

/* That pair of places is that race. */
void hd_races_note(struct hd_races_known *k, uint64_t pair, uint64_t key);

/* What became of the races among the findings of r, which are findings[]. */
void hd_races_judge(const struct hd_races_known *k, const struct hd_common *c,
                    const struct hd_result *r, struct hd_result_finding *findings);

/* The races that were predicted and not seen, each once, in order of their text. */
void hd_races_predicted(struct hd_races_known *k, const struct hd_common *c,
                        struct hd_symbols *symbols);

void hd_races_free(struct hd_races_known *k);

#endif
