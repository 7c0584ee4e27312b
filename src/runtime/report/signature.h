/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signature.h - a number that is equal for findings that a user would call the same. */
#ifndef HD_RUNTIME_REPORT_SIGNATURE_H
#define HD_RUNTIME_REPORT_SIGNATURE_H

#include <stdint.h>

#include "model/race.h"
#include "wire/wire.h"


/* The evidence of a deadlock or livelock. */
struct hd_signed {
    const struct hd_stand *stands; /* the state of each thread */
    const struct hd_polled *polled; /* ordered by thread; NULL if not known */
    uint32_t nstands, npolled;
    const struct hd_event *round; /* events of a cycle of states */
    uint32_t nround;              /* number of these events; 0 if there is no cycle */
};

/* Returns the signature of f, a finding of the running execution.  race: NULL if f is not a race. */
uint64_t hd_signature(const struct hd_finding *f, const struct hd_race *race,
                      const struct hd_signed *of);

#endif
