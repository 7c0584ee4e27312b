/* SPDX-License-Identifier: BSD-2-Clause
 *
 * part_tree.c - parts of a search that is a tree (search/por/wakeup_share.h).  A row of the store is a node.  Its cursor lists
 * the nodes below it, each before its children and after its left siblings; a row without a cursor was never begun.
 *
 * Nodes below an open choice may move (T5), but rows and cursors cannot represent that.  Here no such nodes exist:
 * parts of a search are explored with source sets, which insert single steps, and all alternatives of a choice are
 * already in the tree. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/vec.h"
#include "campaign/spread/part.h"
#include "search/por/wakeup_share.h"

enum { INNER, DONE, TASK };

struct record {
    uint32_t depth; /* depth below the row's node; at least 1 */
    uint8_t state;  /* DONE: explored; TASK: to be explored */
    uint8_t known;
    uint16_t pad;
    struct hd_step step;
};

/* ---- planting ---------------------------------------------------------------------------- */

static struct hd_wakeup *add(struct hd_share *sh, struct hd_wakeup *parent, const struct hd_step *step, bool known)
{
    struct hd_wakeup *n = hd_share_alloc(sh, sizeof *n), **link = &parent->child;

    *n = (struct hd_wakeup){ .step = *step, .parent = parent, .known = known };
    while (*link != NULL)
        link = &(*link)->next;
    *link = n;
    return n;
}

static struct hd_step step_of(const struct hd_bytes *b)
{
    struct hd_step step;

    HD_INVARIANT(b->size == sizeof step, "a step of the store has another size");
    memcpy(&step, b->data, sizeof step);
    return step;
}

static uint32_t index_of(const struct hd_cluster_lease *l, int64_t id)
{
    uint32_t i = 0;

    while (i < l->nnodes && l->nodes[i].id != id)
        i++;
    HD_INVARIANT(i < l->nnodes, "a row of the store without its parent");
    return i;
}

/* Adds the nodes on the path to the leased node, and their siblings. */
static void plant_way(struct hd_part *p)
{
    const struct hd_cluster_lease *l = p->lease;

    for (uint32_t i = 0; i < l->nnodes; i++) {
        const struct hd_cluster_node *row = &l->nodes[i];

        if (row->parent == 0) {
            p->nodes[i] = hd_share_alloc(p->share, sizeof **p->nodes);
            p->share->root = p->nodes[i];
        } else {
            struct hd_step step = step_of(&row->step);

            p->nodes[i] = add(p->share, p->nodes[index_of(l, row->parent)], &step, row->known);
        }
        if (row->id == l->row) {
            p->top = p->nodes[i];
            continue;
        }
        p->nodes[i]->origin = HD_WAKEUP_PLANTED;
        p->nodes[i]->task = row->on_path ? NULL : HD_WAKEUP_DONE;
    }
}

static void plant_rest(const struct hd_part *p)
{
    const struct hd_bytes *c = &p->lease->cursor;
    struct hd_wakeup *n = p->top;
    uint32_t depth = 0;

    HD_INVARIANT(c->size % sizeof(struct record) == 0, "a cursor of the store has another size");
    for (size_t at = 0; at < c->size; at += sizeof(struct record)) {
        struct record r;

        memcpy(&r, (const char *)c->data + at, sizeof r);
        HD_INVARIANT(r.depth >= 1 && r.depth <= depth + 1, "a cursor of the store is damaged");
        for (; depth >= r.depth; depth--)
            n = n->parent;
        n = add(p->share, n, &r.step, r.known != 0);
        depth = r.depth;
        if (r.state == DONE)
            n->task = HD_WAKEUP_DONE;
        else if (r.state == TASK)
            hd_wakeup_share_plant(p->share, n);
    }
}

void hd_tree_plant(struct hd_part *p)
{
    p->nodes = hd_zeroed(p->lease->nnodes, sizeof *p->nodes);
    plant_way(p);
    if (p->lease->cursor.size == 0)
        hd_wakeup_share_plant(p->share, p->top);
    else
        plant_rest(p);
}

/* ---- harvesting -------------------------------------------------------------------------- */

static int state_of(const struct hd_wakeup *n)
{
    if (n->task == HD_WAKEUP_DONE)
        return DONE;
    return n->task != NULL && hd_wakeup_share_node(n->task) == n ? TASK : INNER;
}

/* Returns the node after n in the order of a cursor, within the subtree of top.  Changes *depth accordingly. */
static struct hd_wakeup *following(const struct hd_wakeup *n, const struct hd_wakeup *top, uint32_t *depth)
{
    if (n->child != NULL && n->task != HD_WAKEUP_DONE) {
        ++*depth;
        return n->child;
    }
    for (; n != top; n = n->parent, --*depth)
        if (n->next != NULL)
            return n->next;
    return NULL;
}

/* Returns the number of tasks at `top` and below it. */
static uint32_t tasks_of(const struct hd_wakeup *top)
{
    uint32_t depth = 0, n = 0;

    for (const struct hd_wakeup *at = top; at != NULL; at = following(at, top, &depth))
        n += state_of(at) == TASK;
    return n;
}

static struct hd_bytes cursor_of(const struct hd_wakeup *top)
{
    struct hd_bytes out = { NULL, 0 };
    uint32_t depth = 0;

    for (const struct hd_wakeup *n = following(top, top, &depth); n != NULL; n = following(n, top, &depth)) {
        HD_INVARIANT(!hd_wakeup_is_open(n), "an open choice in a part of a search");
        struct record r = { .depth = depth, .state = (uint8_t)state_of(n), .known = n->known, .step = n->step };

        hd_bytes_add(&out, &r, sizeof r);
    }
    return out;
}

/* Returns the bytes by which a branch differs from its siblings. */
static struct hd_bytes label_of(const struct hd_step *s)
{
    uint16_t label[2] = { s->slot, s->flags & HD_STEP_CHOICE ? (uint16_t)(s->alt + 1) : 0 };
    struct hd_bytes out = { NULL, 0 };

    hd_bytes_add(&out, label, sizeof label);
    return out;
}

static struct hd_cluster_row *add_row(struct hd_harvest *out, const struct hd_wakeup *n)
{
    struct hd_cluster_row *row = HD_PUSH(out->rows, out->nrows);

    HD_INVARIANT(!hd_wakeup_is_open(n), "an open choice in a part of a search");
    *row = (struct hd_cluster_row){ .known = n->known, .label = label_of(&n->step) };
    hd_bytes_add(&row->step, &n->step, sizeof n->step);
    return row;
}

/* T6. */
static void harvest_above(const struct hd_part *p, struct hd_harvest *out)
{
    for (uint32_t i = 0; i < p->lease->nnodes; i++) {
        if (!p->lease->nodes[i].on_path || p->nodes[i] == p->top)
            continue;
        for (const struct hd_wakeup *n = p->nodes[i]->child; n != NULL; n = n->next)
            if (n->origin == HD_WAKEUP_ABOVE) {
                struct hd_cluster_row *row = add_row(out, n);

                row->parent = p->lease->nodes[i].id;
                row->append = true;
                row->known = false;
            }
    }
}

/* A subtree with tasks.  It becomes a row of the harvest, or is the leased row. */
struct piece {
    const struct hd_wakeup *node;
    uint32_t depth, tasks;
    uint32_t row; /* 1 + the index of its row; 0: the leased row */
    bool inner;   /* its children are pieces of their own */
};

struct pieces {
    struct piece *list;
    size_t n;
    uint32_t whole; /* number of pieces that are not inner */
};

static void add_piece(struct pieces *all, const struct hd_wakeup *n, uint32_t depth, uint32_t row)
{
    uint32_t tasks = tasks_of(n);

    if (tasks == 0)
        return;
    *HD_PUSH(all->list, all->n) = (struct piece){ .node = n, .depth = depth, .tasks = tasks, .row = row };
    all->whole++;
}

/* Divides the piece: each child becomes a piece that has a row of its own. */
static void divide(const struct hd_part *p, struct pieces *all, size_t which, struct hd_harvest *out)
{
    struct piece from = all->list[which];
    int64_t order = 0;

    all->list[which].inner = true;
    all->whole--;
    for (const struct hd_wakeup *n = from.node->child; n != NULL; n = n->next) {
        struct hd_cluster_row *row = add_row(out, n);

        row->parent = from.row == 0 ? p->lease->row : 0;
        row->parent_at = from.row == 0 ? 0 : from.row - 1;
        row->order = order++;
        row->state = HD_ROW_DONE;
        add_piece(all, n, from.depth + 1, out->nrows);
    }
}

/* Returns the index of the piece nearest to the root that can be divided, or n if there is none. */
static size_t shallowest(const struct pieces *all)
{
    size_t best = all->n;

    for (size_t i = 0; i < all->n; i++)
        if (!all->list[i].inner && all->list[i].tasks > 1 && (best == all->n || all->list[i].depth < all->list[best].depth))
            best = i;
    return best;
}

static void put_pieces(const struct pieces *all, struct hd_harvest *out)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct piece *a = &all->list[i];
        enum hd_cluster_row_state state = a->inner ? HD_ROW_INNER : HD_ROW_QUEUED;
        struct hd_bytes cursor = a->inner ? (struct hd_bytes){ NULL, 0 } : cursor_of(a->node);

        if (a->row == 0) {
            out->state = state;
            out->cursor = cursor;
        } else {
            out->rows[a->row - 1].state = state;
            out->rows[a->row - 1].cursor = cursor;
        }
    }
}

void hd_tree_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out)
{
    struct pieces all = { .n = 0 };
    size_t next;

    harvest_above(p, out);
    out->state = HD_ROW_DONE;
    add_piece(&all, p->top, 0, 0);
    while (all.whole > 0 && all.whole < pieces && (next = shallowest(&all)) < all.n)
        divide(p, &all, next, out);
    put_pieces(&all, out);
    free(all.list);
}
