/* SPDX-License-Identifier: BSD-2-Clause
 *
 * part.c - the functions of part.h that are the same for trees and lists of tasks. */
#include "campaign/spread/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/por/wakeup_share.h"

enum { TOOL = HD_SHARE_WORKERS - 1 }; /* the tool's number as an owner of the lock, while no worker runs */

void hd_bytes_add(struct hd_bytes *b, const void *data, size_t size)
{
    b->data = hd_resized(b->data, b->size + size, 1);
    memcpy((char *)b->data + b->size, data, size);
    b->size += size;
}

void hd_part_plant(struct hd_part *p, struct hd_arena *shared, int64_t kind, const struct hd_cluster_lease *l, int64_t bound,
                   int64_t flags)
{
    *p = (struct hd_part){ .lease = l, .kind = kind, .share = hd_share_lease(shared, TOOL) };
    p->share->bound = (uint64_t)bound;
    p->share->flags = kind == HD_CLUSTER_TREE ? (uint64_t)flags & (HD_WAKEUP_CHOICES | HD_WAKEUP_GUESSES) : 0;
    if (kind == HD_CLUSTER_TREE)
        hd_tree_plant(p);
    else
        hd_list_plant(p, bound);
    hd_share_unlock(p->share);
}

void hd_part_free(struct hd_part *p)
{
    free(p->nodes);
    *p = (struct hd_part){ .share = NULL };
}

/* The accesses of a step are complete before `known` is set, and do not change afterwards. */
bool hd_part_step(const struct hd_part *p, struct hd_step *out)
{
    if (p->kind != HD_CLUSTER_TREE || p->top->parent == NULL || !__atomic_load_n(&p->top->known, __ATOMIC_ACQUIRE))
        return false;
    *out = p->top->step;
    return true;
}

void hd_part_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out)
{
    struct hd_step step;

    *out = (struct hd_harvest){ .flags = (int64_t)p->share->flags };
    if (hd_part_step(p, &step))
        hd_bytes_add(&out->step, &step, sizeof step);
    if (p->kind == HD_CLUSTER_TREE)
        hd_tree_harvest(p, pieces, out);
    else
        hd_list_harvest(p, pieces, out);
}

void hd_harvest_free(struct hd_harvest *h)
{
    for (uint32_t i = 0; i < h->nrows; i++) {
        free(h->rows[i].label.data);
        free(h->rows[i].step.data);
        free(h->rows[i].cursor.data);
    }
    free(h->rows);
    free(h->cursor.data);
    free(h->step.data);
    *h = (struct hd_harvest){ .nrows = 0 };
}
