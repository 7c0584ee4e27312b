/* SPDX-License-Identifier: BSD-2-Clause
 *
 * probe.h - what the probes of `heddle estimate` have measured. */
#ifndef HD_SEARCH_SAMPLE_PROBE_H
#define HD_SEARCH_SAMPLE_PROBE_H

#include "model/campaign.h"

/* Trees are large: the values are sum * 2^exponent and squares * 2^(2 exponent). */
struct hd_probe_sums {
    uint64_t n;       /* probes */
    uint64_t exponent;
    double sum;       /* of the sizes that they saw */
    double squares;   /* of the same */
};

/* From the cursor of a campaign with the strategy probe. */
struct hd_probe_sums hd_probe_sums(const struct hd_cursor *c);

#endif
