/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.h - decides whether a history is linearizable.  It is if there is an order of its operations in which
 * the model gives the recorded results, and which respects the order in time of any two operations that do not
 * overlap.
 *
 * Y1  Each object is checked on its own; a set or map even key by key, unless an operation concerns all keys
 *     (size).  A history is linearizable exactly if each of these parts is.
 * Y2  A register, queue or stack into which no value is put twice is checked in polynomial time (zones.c,
 *     line.c).  For everything else an order is searched, without exploring a state twice (explore.c).
 * Y3  An operation that has not returned may come at any point after its call, or not at all.
 * Y4  If the allowed number of steps does not suffice for a part, its verdict is unknown.  No verdict is a
 *     guess: states are compared completely, not by hashes. */
#ifndef HD_HISTORY_JUDGE_H
#define HD_HISTORY_JUDGE_H

#include "history/history.h"

enum hd_history_verdict { HD_HISTORY_FITS, HD_HISTORY_UNKNOWN, HD_HISTORY_MISFIT };

/* The operations of one object, or of one of its keys. */
struct hd_history_part {
    const struct hd_history *h;
    const struct hd_history_op **op; /* in the order of their calls */
    uint32_t n;
    uint32_t key;    /* the key; HD_NEVER: the part is the whole object */
    uint64_t steps;  /* number of steps that are left; 0 at the end: all were used */
};

struct hd_history_result {
    enum hd_history_verdict verdict; /* the worst of all parts */
    uint32_t parts, searched, unknown; /* numbers of parts: all, those for which an order was searched, and
                                        * those with verdict unknown */
    const struct hd_history_op *at;  /* an operation of the first part that is a misfit or unknown */
    uint32_t key;                    /* key of that part */
    char reason[600];                /* why it is a misfit or unknown */
};

/* `steps` is the maximum number of steps for each part. */
void hd_history_judge(const struct hd_history *h, uint64_t steps, struct hd_history_result *result);

/* ---- the ways to check one part; each sets `at` and `reason` for a misfit ---- */

/* True if no value is put in twice, so that the polynomial algorithm applies. */
bool hd_zones_apply(const struct hd_history_part *p);
enum hd_history_verdict hd_zones_judge(struct hd_history_part *p, struct hd_history_result *result);
bool hd_line_applies(const struct hd_history_part *p);
enum hd_history_verdict hd_line_judge(struct hd_history_part *p, struct hd_history_result *result);
enum hd_history_verdict hd_explore_judge(struct hd_history_part *p, struct hd_history_result *result);

/* True if no two operations with this code have the same first argument, and none has the value `except`. */
bool hd_history_distinct(const struct hd_history_part *p, enum hd_call code, uint32_t except);
/* Sets `at` and `reason`; the reason is formatted like printf. */
__attribute__((format(printf, 3, 4))) void hd_history_blame(struct hd_history_result *result,
                                                            const struct hd_history_op *op, const char *fmt, ...);

#endif
