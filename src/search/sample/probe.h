/* SPDX-License-Identifier: BSD-2-Clause
 *
 * probe.h - the results of the probes of `heddle estimate`. */
#ifndef HD_SEARCH_SAMPLE_PROBE_H
#define HD_SEARCH_SAMPLE_PROBE_H

#include "model/campaign.h"

/* The values may be very large, so they are sum * 2^exponent and squares * 2^(2 exponent). */
struct hd_probe_sums {
    uint64_t n;       /* number of probes */
    uint64_t exponent;
    double sum;       /* sum of the sizes that the descents estimated */
    double squares;   /* sum of the squares of these sizes */
};

/* Reads the sums from the cursor of a campaign with the strategy probe. */
struct hd_probe_sums hd_probe_sums(const struct hd_cursor *c);

/* Adds the sums of another worker.  Only rounding errors depend on the order of the additions. */
void hd_probe_add(struct hd_probe_sums *to, const struct hd_probe_sums *from);

#endif
