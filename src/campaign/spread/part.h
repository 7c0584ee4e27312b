/* SPDX-License-Identifier: BSD-2-Clause
 *
 * part.h - a leased part of a search (store/store.h) in the memory that workers share (search/core/share.h, H4): planting it
 * before they start, and harvesting what is left and what they want elsewhere when they have stopped.
 *
 * A step and a label are stored as the search has them.  Threads and objects in them have the numbers of the campaign
 * (knowledge.h), which are the same in all sessions. */
#ifndef HD_CAMPAIGN_SPREAD_PART_H
#define HD_CAMPAIGN_SPREAD_PART_H

#include "base/arena.h"
#include "search/por/wakeup.h"
#include "store/store.h"

struct hd_part {
    const struct hd_cluster_lease *lease;
    int64_t kind; /* enum hd_cluster_kind */
    struct hd_share *share;
    struct hd_wakeup **nodes; /* of the lease's nodes; HD_CLUSTER_TREE only */
    struct hd_wakeup *top;    /* the leased one */
};

/* What a slice commits: allocated memory, freed with hd_harvest_free. */
struct hd_harvest {
    enum hd_cluster_row_state state; /* of the leased row */
    struct hd_bytes cursor, step;
    struct hd_cluster_row *rows;
    uint32_t nrows;
    int64_t flags;
};

/* Fills the pool, whose memory is zero, with the part.  bound, flags: those of the campaign's pass. */
void hd_part_plant(struct hd_part *p, struct hd_arena *shared, int64_t kind, const struct hd_cluster_lease *l, int64_t bound,
                   int64_t flags);
void hd_part_free(struct hd_part *p);

/* The step of the leased node; false if it is not known yet.  May be called while the workers run. */
bool hd_part_step(const struct hd_part *p, struct hd_step *out);

/* Collects the result.  No worker has a task.  What is left is divided into that many pieces, if possible. */
void hd_part_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);
void hd_harvest_free(struct hd_harvest *h);

/* ---- for the two files that implement it ---- */

void hd_tree_plant(struct hd_part *p);
void hd_tree_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);
void hd_list_plant(struct hd_part *p, int64_t bound);
void hd_list_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);

/* Appends bytes. */
void hd_bytes_add(struct hd_bytes *b, const void *data, size_t size);

#endif
