/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signature.h - a number that is equal for findings that are the same to a person. */
#ifndef HD_RUNTIME_REPORT_SIGNATURE_H
#define HD_RUNTIME_REPORT_SIGNATURE_H

#include "runtime/core/rt.h"

/* What is known of a deadlock or livelock. */
struct hd_signed {
    const struct hd_stand *stands; /* how the threads stand */
    const struct hd_polled *polled; /* by thread; NULL: not known */
    uint32_t nstands, npolled;
    const struct hd_event *round; /* events that lead back to where they began ... */
    uint32_t nround;              /* ... 0: none */
};

/* race: NULL when it is none.  The execution is the one that runs. */
uint64_t hd_signature(const struct hd_finding *f, const struct hd_race *race,
                      const struct hd_signed *of);

#endif
