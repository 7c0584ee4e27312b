/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.h - derives the races from the workers' observations about pairs of code addresses.
 * Reports name source lines, so several pairs may be one race. */
#ifndef HD_CAMPAIGN_FINDINGS_RACES_H
#define HD_CAMPAIGN_FINDINGS_RACES_H

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

/* Records that the pair of places belongs to the race `key`. */
void hd_races_note(struct hd_races_known *k, uint64_t pair, uint64_t key);

/* Sets the status of the races in findings[], which are the findings of r. */
void hd_races_judge(const struct hd_races_known *k, const struct hd_common *c,
                    const struct hd_result *r, struct hd_result_finding *findings);

/* Collects the races that were predicted but not seen, each once, sorted by text. */
void hd_races_predicted(struct hd_races_known *k, const struct hd_common *c,
                        struct hd_symbols *symbols);

void hd_races_free(struct hd_races_known *k);

#endif
