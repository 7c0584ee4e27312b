/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kept.h - what concurrent executions store in memory that all workers share: their different outcomes, and how
 * often an execution was accepted only because of a rule.
 *
 * A worker may be killed at any moment.  It first claims an entry by storing its key, and its last store marks
 * the entry as complete.  Entries that are not complete are ignored. */
#ifndef HD_LINEAR_KEPT_H
#define HD_LINEAR_KEPT_H

#include "linear/record.h"

enum { HD_LIN_KEPT = 16384, HD_LIN_KEPT_BYTES = 8 << 20, HD_LIN_NAME = 48 };

/* Empty if all zero. */
struct hd_lin_kept {
    uint32_t wanted, full; /* full: there was no room for some outcomes */
    uint32_t n, used;      /* number of entries, bytes of text */
    struct {
        uint64_t key, times; /* hash of the outcome and its order in real time; number of executions */
        uint32_t at, size;   /* the text, with the order in real time; size 0: not complete */
    } entry[HD_LIN_KEPT];    /* open addressing */
    char text[HD_LIN_KEPT_BYTES];
};

/* Number of executions whose state only this rule accepts. */
struct hd_lin_saved {
    uint64_t key, n;
    uint8_t rule, complete;
    char name[HD_LIN_NAME];
};

void hd_lin_keep(struct hd_lin_kept *k, const struct hd_lin_record *r);
/* Adds `times` executions. `saved` has HD_LIN_COMPONENTS entries. */
void hd_lin_count(struct hd_lin_saved *saved, const char *component, enum hd_lin_rule rule, uint64_t times);

#endif
