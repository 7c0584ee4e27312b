/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor_drop.c - drops sequences of the wakeup tree that turn out to be covered before they
 * are executed (D7).  Makes no libc calls. */
#include "search/por/dpor.h"

/* Stores in v the steps from node n down to the first leaf below it.  Returns the leaf, or NULL if the sequence
 * is too long. */
static const struct hd_wakeup *first_leaf(const struct hd_wakeup *n, const struct hd_step **v,
                                          uint32_t *nv)
{
    for (*nv = 0; *nv < HD_TRACE_STEPS; n = n->child) {
        v[(*nv)++] = &n->step;
        if (n->child == NULL)
            return n;
    }
    return NULL;
}

/* True if a step that sleeps at decision k, or was explored there, covers v. */
static bool sleeps_through(const struct hd_dpor *d, uint32_t k, const struct hd_step *const *v,
                           uint32_t nv)
{
    const struct hd_path_frame *f = &d->path.frame[k];
    const struct hd_wakeup *end = d->frames[k].node->next;

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (hd_step_weak_initial(&d->path.sleep[f->sleep + i], v, nv))
            return true;
    for (const struct hd_wakeup *z = hd_dpor_parent(d, k)->child; z != end; z = z->next)
        if (hd_step_weak_initial(&z->step, v, nv))
            return true;
    return false;
}

/* Returns the first leaf right of the path at decision k if it is covered, or NULL if it must be executed. */
static const struct hd_wakeup *leaf_in_vain(struct hd_dpor *d, uint32_t k)
{
    const struct hd_step **v = d->reversal.v;
    struct hd_step last;
    uint32_t nv;
    const struct hd_wakeup *leaf = first_leaf(d->frames[k].node->next, v, &nv);

    if (leaf == NULL)
        return NULL;
    if (leaf->step.flags & HD_STEP_ALL && hd_footprint_last(&d->footprints, k, v, nv, &last))
        v[nv - 1] = &last;
    return sleeps_through(d, k, v, nv) ? leaf : NULL;
}

/* Drops the leaf, and those of its ancestors, up to the sibling of the path, that have no other descendants.
 * Each of them is a first child. */
static void drop(struct hd_dpor *d, uint32_t k, const struct hd_wakeup *leaf)
{
    struct hd_wakeup **link = &d->frames[k].node->next, **least = link;

    for (; *link != leaf; link = &(*link)->child)
        if ((*link)->child->next != NULL)
            least = &(*link)->child;
    hd_wakeup_drop(&d->pool, least);
}

void hd_dpor_drop(struct hd_dpor *d, uint32_t n)
{
    for (; n > d->floor; n--) {
        const struct hd_wakeup *leaf;

        while (d->frames[n - 1].node->next != NULL) {
            leaf = leaf_in_vain(d, n - 1);
            if (leaf == NULL)
                return;
            drop(d, n - 1, leaf);
        }
    }
}
