/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backtrack_share.c - backtrack sets of which several workers work off the branches.
 * When frames become common, their threads become nodes of a common tree: those that
 * are done, then the one on the path, and behind it those that are left, each a task.
 * Pure memory: no libc. */
#include "search/backtrack.h"

void hd_backtrack_share_open(struct hd_backtrack *b, const struct hd_strategy_cfg *cfg)
{
    hd_wakeup_share_open(&b->ws, cfg, &b->pool, INT64_MAX);
    if (b->ws.share != NULL && b->node == NULL)
        b->node = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof(struct hd_wakeup *));
}

static void take_path(struct hd_backtrack *b, const struct hd_task *t)
{
    struct hd_wakeup *n = hd_wakeup_share_node(t);

    b->floor = hd_wakeup_share_depth(t);
    for (uint32_t k = b->floor; k > 0; k--, n = n->parent)
        b->node[k - 1] = n;
}

bool hd_backtrack_take(struct hd_backtrack *b, const struct hd_cursor *now)
{
    struct hd_task *t = hd_wakeup_share_next(&b->ws, now->w[HD_BT_TASK],
                                             now->w[HD_BT_FLAGS] & HD_BT_NOT_ALL_SEEN);

    if (t == NULL)
        return false;
    b->flags = 0;
    b->task = t->serial;
    take_path(b, t);
    b->first_new = hd_wakeup_share_first(t);
    return true;
}

hd_tid hd_backtrack_follow(struct hd_backtrack *b, const struct hd_point *at)
{
    const struct hd_step *s = &b->node[at->step]->step;
    hd_tid t = hd_path_tid(&b->path, s->slot, at->nthreads);

    if (s->flags & HD_STEP_CHOICE || t == HD_NO_TID || !hd_set_has(&at->enabled, t))
        return HD_NO_TID;
    return t;
}

void hd_backtrack_note_done(struct hd_backtrack *b, const struct hd_point *at)
{
    struct hd_wakeup *self = b->node[at->step];

    hd_share_lock(b->ws.share, b->ws.worker);
    for (const struct hd_wakeup *n = self->parent->child; n != self; n = n->next) {
        hd_tid t = hd_path_tid(&b->path, n->step.slot, at->nthreads);

        if (t != HD_NO_TID)
            hd_set_add(&b->frame[at->step].done, t);
        if (b->sleeps)
            hd_path_sleep(&b->path, at->step, &n->step);
    }
    hd_share_unlock(b->ws.share);
}

void hd_backtrack_want_common(struct hd_backtrack *b, uint32_t k, const struct hd_set *threads)
{
    hd_share_lock(b->ws.share, b->ws.worker);
    HD_SET_EACH(t, threads) {
        struct hd_step s = { .slot = b->path.exec->threads[t].slot };

        if (!hd_path_asleep(&b->path, k, s.slot))
            hd_wakeup_share_want(&b->ws, b->node[k], &s);
    }
    hd_share_unlock(b->ws.share);
}

uint32_t hd_backtrack_to_give(const struct hd_backtrack *b, const struct hd_cursor *next)
{
    uint32_t top = (uint32_t)next->w[HD_BT_PREFIX] - 1;
    uint16_t chosen = (uint16_t)next->w[HD_BT_CHOSEN], other;
    const struct hd_backtrack_frame *f = &b->frame[top];

    for (uint32_t k = b->floor; k < top; k++)
        if (hd_backtrack_left(b, k, &other))
            return k + 1;
    if (f->alternatives != 0)
        return chosen + 1 < f->alternatives ? top + 1 : 0;
    HD_SET_EACH(t, &f->wanted)
        if (t != f->chosen && t != chosen && !hd_set_has(&f->done, t) &&
            !hd_path_asleep(&b->path, top, b->path.exec->threads[t].slot))
            return top + 1;
    return 0;
}

/* ---- frames become common ------------------------------------------------------------ */

/* What the thread did at frame k: among the sleepers, if steps sleep at all. */
static struct hd_step done_step(const struct hd_backtrack *b, uint32_t k, unsigned t)
{
    const struct hd_path_frame *f = &b->path.frame[k];
    uint16_t slot = b->path.exec->threads[t].slot;

    for (uint32_t i = f->nsleep; i > 0; i--)
        if (b->path.sleep[f->sleep + i - 1].slot == slot)
            return b->path.sleep[f->sleep + i - 1];
    return (struct hd_step){ .slot = slot };
}

/* Appends a node to the children of parent. */
static struct hd_wakeup **append(struct hd_backtrack *b, struct hd_wakeup *parent,
                                 struct hd_wakeup **list, const struct hd_step *s, bool done)
{
    struct hd_wakeup *n = hd_wakeup_new(&b->pool, parent, s);

    n->known = done;
    n->task = done ? HD_WAKEUP_DONE : NULL;
    *list = n;
    return &n->next;
}

static struct hd_step alternative(const struct hd_backtrack *b, uint32_t k, unsigned alt)
{
    const struct hd_backtrack_frame *f = &b->frame[k];

    return (struct hd_step){ .flags = HD_STEP_CHOICE, .alt = (uint16_t)alt, .n = f->alternatives,
                             .slot = k > 0 ? b->path.frame[k - 1].step.slot : 0 };
}

static struct hd_wakeup *make_alternatives(struct hd_backtrack *b, uint32_t k,
                                           struct hd_wakeup *parent, struct hd_wakeup **first)
{
    const struct hd_backtrack_frame *f = &b->frame[k];
    struct hd_wakeup **list = first, *self = NULL;

    for (unsigned a = 0; a < f->alternatives; a++) {
        struct hd_step s = alternative(b, k, a);
        struct hd_wakeup **here = list;

        list = append(b, parent, list, &s, a < f->chosen);
        if (a == f->chosen)
            self = *here;
    }
    return self;
}

/* Children of parent for frame k, into *first; returns the one on the path. */
static struct hd_wakeup *make_common(struct hd_backtrack *b, uint32_t k, struct hd_wakeup *parent,
                                     struct hd_wakeup **first)
{
    const struct hd_backtrack_frame *f = &b->frame[k];
    struct hd_wakeup **list = first;

    if (f->alternatives != 0)
        return make_alternatives(b, k, parent, first);
    HD_SET_EACH(t, &f->done) {
        struct hd_step s = done_step(b, k, t);

        list = append(b, parent, list, &s, true);
    }
    struct hd_step taken = { .slot = b->path.exec->threads[f->chosen].slot };
    struct hd_wakeup **self = list;
    bool executed = k + 1 < b->prefix;

    list = append(b, parent, list, executed ? &b->path.frame[k].step : &taken, false);
    (*self)->known = executed;
    HD_SET_EACH(t, &f->wanted) {
        struct hd_step s = { .slot = b->path.exec->threads[t].slot };

        if (t != f->chosen && !hd_set_has(&f->done, t) && !hd_path_asleep(&b->path, k, s.slot))
            list = append(b, parent, list, &s, false);
    }
    return *self;
}

/* All frames down to k, linked by one store to the node of the task. */
static void make_path(struct hd_backtrack *b, uint32_t k, uint64_t index)
{
    struct hd_share *sh = b->ws.share;
    struct hd_wakeup *task = hd_wakeup_share_node(sh->mine[b->ws.worker]);
    struct hd_wakeup *top = NULL, *n = make_common(b, b->floor, task, &top);

    for (uint32_t i = b->floor + 1; i <= k; i++)
        n = make_common(b, i, n, &n->child);
    hd_share_write_pointer(sh, &task->child, top);
    hd_share_write_pointer(sh, &sh->made[b->ws.worker], n);
    hd_share_write(sh, &sh->gift[b->ws.worker], index + 1);
    hd_share_commit(sh);
}

void hd_backtrack_give(struct hd_backtrack *b, uint32_t k, uint64_t index)
{
    struct hd_share *sh = b->ws.share;
    uint32_t w = b->ws.worker;

    hd_share_lock(sh, w);
    if (sh->gift[w] != index + 1)
        make_path(b, k, index);
    hd_share_unlock(sh);
    hd_wakeup_share_give(&b->ws, sh->made[w]);
    take_path(b, sh->mine[w]);
}
