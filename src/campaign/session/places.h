/* SPDX-License-Identifier: BSD-2-Clause
 *
 * places.h - places in the program that the verdict names. */
#ifndef HD_CAMPAIGN_SESSION_PLACES_H
#define HD_CAMPAIGN_SESSION_PLACES_H

#include "report/verdict/result.h"
#include "wire/wire.h"

/* The strings belong to the symbols and to the wires. */
struct hd_places {
    const char *weak[HD_MAX_WEAK]; /* weak atomics */
    uint32_t nweak;
    const char *unsatisfied[HD_MAX_ASSUMPTIONS]; /* places of heddle_assume that no execution satisfied */
    uint32_t nunsatisfied;
    const char *never_aborted[HD_MAX_TX_SITES]; /* places of transactions that were never aborted */
    uint32_t nnever_aborted;
    const char *loops[HD_MAX_LOOPS]; /* loops that were cut */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* rounds after which each was cut */
    uint32_t nloops;
    struct hd_result_longest longest;
};

struct hd_session;

/* Collects the places of all workers in s->places. */
void hd_places_gather(struct hd_session *s);

#endif
