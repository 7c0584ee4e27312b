/* SPDX-License-Identifier: BSD-2-Clause
 *
 * part.h - a leased part of a search (store/store.h), in the memory that workers share (search/core/share.h, H4).
 * hd_part_plant stores the part there before the workers start. hd_part_harvest collects, after they have stopped, the
 * rest of the part and the steps outside of the part that must be explored.
 *
 * Steps and labels are stored in the format of the search.  The numbers of their threads and objects are those of
 * the campaign (knowledge.h), which are the same in all sessions. */
#ifndef HD_CAMPAIGN_SPREAD_PART_H
#define HD_CAMPAIGN_SPREAD_PART_H

#include "base/arena.h"
#include "search/por/wakeup.h"
#include "store/store.h"

struct hd_part {
    const struct hd_cluster_lease *lease;
    int64_t kind; /* enum hd_cluster_kind */
    struct hd_share *share;
    struct hd_wakeup **nodes; /* the node of each row of the lease; HD_CLUSTER_TREE only */
    struct hd_wakeup *top;    /* the node of the leased row */
};

/* The result of a slice, for its commit. hd_harvest_free frees its memory. */
struct hd_harvest {
    enum hd_cluster_row_state state; /* new state of the leased row */
    struct hd_bytes cursor, step;
    struct hd_cluster_row *rows;
    uint32_t nrows;
    int64_t flags;
};

/* Fills the pool, whose memory is zero, with the part. bound, flags: those of the campaign's pass.  A tree uses only
 * the flags that record what the search has learnt about the program (enum hd_wakeup_flag). */
void hd_part_plant(struct hd_part *p, struct hd_arena *shared, int64_t kind, const struct hd_cluster_lease *l, int64_t bound,
                   int64_t flags);
void hd_part_free(struct hd_part *p);

/* Stores the step of the leased node.  Returns false if it is not known yet.  May be called while the workers run. */
bool hd_part_step(const struct hd_part *p, struct hd_step *out);

/* Collects the result.  Precondition: no worker has a task.  Divides the rest into that many pieces if possible. */
void hd_part_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);
void hd_harvest_free(struct hd_harvest *h);

/* ---- implemented by part_tree.c and part_list.c ---- */

void hd_tree_plant(struct hd_part *p);
void hd_tree_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);
void hd_list_plant(struct hd_part *p, int64_t bound);
void hd_list_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out);

/* Appends bytes. */
void hd_bytes_add(struct hd_bytes *b, const void *data, size_t size);

#endif
