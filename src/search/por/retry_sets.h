/* SPDX-License-Identifier: BSD-2-Clause
 *
 * retry_sets.h - retry sets of Landslide (B. Blum, "Practical concurrency testing", 2018, 6.2.4), for dpor-classic.
 * When a conflict is reversed, the thread that now comes first takes only the outcome of its transaction with which the
 * conflict was seen.  With the other outcome there may be no conflict, and then the order does not matter.  It is not
 * proved that nothing is lost, so a search with retry sets claims nothing (model/fact.h).
 *
 * R1  A thread chooses the outcome before it waits for its turn (runtime/watch/transaction.h, T2).  In the reversed
 *     execution the thread whose step was first in the conflict has already made its choice, before the place of the
 *     reversal.  So only the other thread needs a set.
 * R2  A set is recorded if the thread has chosen only one outcome since the place of the reversal, and the conflicting
 *     step directly follows it. Otherwise all outcomes are tried there.  Several sets of one thread at one place are
 *     joined.  If there is no room for a set, all outcomes are tried.
 * R3  A set applies to the first choice of an outcome that its thread makes after the reversal.  If sets of two
 *     reversals apply to the same choice, all outcomes are tried.
 * R4  A thread does not enter the sleep set if only some of its outcomes were tried, and a later conflict may ask
 *     for the others. */
#ifndef HD_SEARCH_POR_RETRY_SETS_H
#define HD_SEARCH_POR_RETRY_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

struct hd_backtrack;
struct hd_backtrack_frame;
struct hd_racer;

enum { HD_RETRY_SETS = 4, HD_RETRY_ALL = 0xff };

/* Outcomes are a bit set: bit n is alternative n of the choice. */
struct hd_retry_set {
    hd_tid tid;
    uint8_t wanted, explored;
};

/* The fields of a frame that retry sets need. */
struct hd_retry {
    uint8_t now; /* outcomes to be tried: by the chosen thread at its next transaction, or, if the frame is a choice,
                  * here.  0: all */
    bool transaction; /* the frame is the choice of a transaction's outcome */
    hd_tid tid;       /* the thread that makes the choice */
    uint32_t n;
    struct hd_retry_set set[HD_RETRY_SETS]; /* sets of threads that are wanted here; a thread without a set tries all
                                             * outcomes */
};

static inline const struct hd_retry_set *hd_retry_of(const struct hd_retry *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->set[i].tid == tid)
            return &r->set[i];
    return NULL;
}

/* Returns the next alternative of a choice, or UINT16_MAX if there is none. */
uint16_t hd_retry_next(const struct hd_retry *r, uint16_t last);

/* Records that the racer's thread is wanted at frame e, with the outcome of R2. */
void hd_retry_want(struct hd_backtrack *b, uint32_t e, const struct hd_racer *racer);
/* True if a thread with a set has work left at frame k: then *tid is that thread and *outcomes its outcomes. */
bool hd_retry_is_left(const struct hd_backtrack *b, uint32_t k, uint16_t *chosen, uint8_t *outcomes);
/* Call when the frame's chosen thread is about to be explored with these outcomes; 0: all. */
void hd_retry_explore(struct hd_backtrack_frame *f, uint8_t outcomes);
/* Call when the thread chooses the outcome of a transaction at frame k. Returns the first alternative to try. */
uint16_t hd_retry_begin_choice(struct hd_backtrack *b, uint32_t k, hd_tid tid);

#endif
