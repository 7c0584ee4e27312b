/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kept.h - what concurrent executions leave in memory that all workers share: their different outcomes, and how often a rule
 * was what saved one.
 *
 * A worker may be killed at any moment: it claims an entry by its key, and completes it by its last store.  An entry that
 * is not complete is left out. */
#ifndef HD_LINEAR_KEPT_H
#define HD_LINEAR_KEPT_H

#include "linear/record.h"

enum { HD_LIN_KEPT = 16384, HD_LIN_KEPT_BYTES = 8 << 20, HD_LIN_NAME = 48 };

/* All zero: empty. */
struct hd_lin_kept {
    uint32_t wanted, full; /* full: some outcomes had no room */
    uint32_t n, used;      /* entries, bytes of text */
    struct {
        uint64_t key, times; /* hash of outcome and order in real time; number of executions */
        uint32_t at, size;   /* text with the order in real time; size 0: not complete */
    } entry[HD_LIN_KEPT];    /* open addressing */
    char text[HD_LIN_KEPT_BYTES];
};

/* Executions whose state only this rule accepts. */
struct hd_lin_saved {
    uint64_t key, n;
    uint8_t rule, complete;
    char name[HD_LIN_NAME];
};

void hd_lin_keep(struct hd_lin_kept *k, const struct hd_lin_record *r);
/* Adds so many executions.  saved: HD_LIN_COMPONENTS entries. */
void hd_lin_count(struct hd_lin_saved *saved, const char *component, enum hd_lin_rule rule, uint64_t times);

#endif
