/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames_share.c - turns private frames into common ones.  Makes no libc calls. */
#include "search/por/frames_share.h"

void hd_frames_open(struct hd_frames_share *fs, const struct hd_strategy_cfg *cfg)
{
    fs->exec = cfg->exec;
    hd_wakeup_share_open(&fs->ws, cfg, &fs->pool, INT64_MAX);
    if (hd_frames_are_shared(fs) && fs->node == NULL)
        fs->node = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof(struct hd_wakeup *));
}

/* ---- the path to a task ---- */

static void take_path(struct hd_frames_share *fs, const struct hd_task *t)
{
    struct hd_wakeup *n = hd_wakeup_share_node(t);

    fs->floor = hd_wakeup_share_depth(t);
    for (uint32_t k = fs->floor; k > 0; k--, n = n->parent)
        fs->node[k - 1] = n;
}

struct hd_task *hd_frames_take(struct hd_frames_share *fs, uint64_t finished, uint64_t flags)
{
    struct hd_task *t = hd_wakeup_share_next(&fs->ws, finished, flags);

    if (t != NULL) {
        fs->task = t->serial;
        take_path(fs, t);
    }
    return t;
}

hd_tid hd_frames_tid(const struct hd_frames_share *fs, uint16_t slot, uint32_t nthreads)
{
    for (uint32_t t = 0; t < nthreads; t++)
        if (fs->exec->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

hd_tid hd_frames_follow(const struct hd_frames_share *fs, const struct hd_point *at)
{
    const struct hd_step *s = hd_frames_step(fs, at->step);
    hd_tid t = hd_frames_tid(fs, s->slot, at->nthreads);

    if (s->flags & HD_STEP_CHOICE || t == HD_NO_TID || !hd_set_has(&at->enabled, t))
        return HD_NO_TID;
    return t;
}

bool hd_frames_goes_round(const struct hd_frames_share *fs, const struct hd_point *at)
{
    const struct hd_step *s = hd_frames_step(fs, at->step);
    hd_tid t = hd_frames_tid(fs, s->slot, at->nthreads);

    return !(s->flags & HD_STEP_CHOICE) && t != HD_NO_TID && hd_set_has(&at->awaiting, t);
}

void hd_frames_lock(struct hd_frames_share *fs)
{
    hd_share_lock(fs->ws.share, fs->ws.worker);
}

void hd_frames_unlock(struct hd_frames_share *fs)
{
    hd_share_unlock(fs->ws.share);
}

void hd_frames_want(struct hd_frames_share *fs, uint32_t k, uint16_t slot)
{
    hd_wakeup_share_want(&fs->ws, fs->node[k], &(struct hd_step){ .slot = slot });
}

void hd_frames_learn(struct hd_frames_share *fs, const struct hd_trace *trace)
{
    if (fs->floor > 0)
        hd_wakeup_share_learn(&fs->ws, fs->node[fs->floor - 1], fs->floor, trace);
}

/* ---- giving work away ---- */

static bool is_asleep(const struct hd_frame_view *f, uint16_t slot)
{
    for (uint32_t i = 0; i < f->nsleep; i++)
        if (f->sleep[i].slot == slot)
            return true;
    return false;
}

/* True if the thread must still be run at the frame. */
static bool is_left(const struct hd_frames_share *fs, const struct hd_frame_view *f, unsigned t)
{
    return t != f->chosen && !hd_set_has(f->done, t) && !is_asleep(f, fs->exec->threads[t].slot);
}

static bool has_more(const struct hd_frames_share *fs, const struct hd_frame_view *f,
                     uint16_t chosen)
{
    if (f->alternatives != 0)
        return chosen + 1 < f->alternatives;
    HD_SET_EACH(t, f->wanted)
        if (t != chosen && is_left(fs, f, t))
            return true;
    return false;
}

uint32_t hd_frames_to_give(const struct hd_frames_share *fs, uint32_t top, uint16_t chosen,
                           hd_frame_viewer *view, const void *self)
{
    if (!hd_frames_are_shared(fs) || !hd_share_wanted(fs->ws.share))
        return 0;
    for (uint32_t k = fs->floor; k <= top; k++) {
        struct hd_frame_view f = view(self, k);

        if (has_more(fs, &f, k < top ? f.chosen : chosen))
            return k + 1;
    }
    return 0;
}

/* Returns the step that the thread executed at the frame.  With sleep sets it is one of the sleeping steps. */
static struct hd_step done_step(const struct hd_frame_view *f, uint16_t slot)
{
    for (uint32_t i = f->nsleep; i > 0; i--)
        if (f->sleep[i - 1].slot == slot)
            return f->sleep[i - 1];
    return (struct hd_step){ .slot = slot };
}

/* Appends a node for step s to the children of parent. *list is where the next one will be linked. */
static struct hd_wakeup **append(struct hd_frames_share *fs, struct hd_wakeup *parent,
                                 struct hd_wakeup **list, const struct hd_step *s, bool done)
{
    struct hd_wakeup *n = hd_wakeup_new(&fs->pool, parent, s);

    n->known = done;
    n->task = done ? HD_WAKEUP_DONE : NULL;
    *list = n;
    return &n->next;
}

static struct hd_wakeup *make_alternatives(struct hd_frames_share *fs,
                                           const struct hd_frame_view *f,
                                           struct hd_wakeup *parent, struct hd_wakeup **first)
{
    struct hd_step s = { .flags = HD_STEP_CHOICE, .n = f->alternatives, .slot = f->slot };
    struct hd_wakeup **list = first, *self = NULL;

    for (s.alt = 0; s.alt < f->alternatives; s.alt++) {
        struct hd_wakeup **here = list;

        list = append(fs, parent, list, &s, s.alt < f->chosen);
        if (s.alt == f->chosen)
            self = *here;
    }
    return self;
}

/* Creates nodes for the frame as children of parent, beginning with *first.  Returns the one on the path. */
static struct hd_wakeup *make_common(struct hd_frames_share *fs, const struct hd_frame_view *f,
                                     struct hd_wakeup *parent, struct hd_wakeup **first)
{
    const struct hd_thread_info *threads = fs->exec->threads;
    struct hd_wakeup **list = first;

    if (f->alternatives != 0)
        return make_alternatives(fs, f, parent, first);
    HD_SET_EACH(t, f->done) {
        struct hd_step s = done_step(f, threads[t].slot);

        list = append(fs, parent, list, &s, true);
    }
    struct hd_step unknown = { .slot = threads[f->chosen].slot };
    struct hd_wakeup **self = list;

    list = append(fs, parent, list, f->taken != NULL ? f->taken : &unknown, false);
    (*self)->known = f->taken != NULL;
    HD_SET_EACH(t, f->wanted) {
        struct hd_step s = { .slot = threads[t].slot };

        if (is_left(fs, f, t))
            list = append(fs, parent, list, &s, false);
    }
    return *self;
}

/* Creates nodes for all frames down to k.  A single store then links them to the task's node. */
static void make_path(struct hd_frames_share *fs, uint32_t k, uint64_t index,
                      hd_frame_viewer *view, const void *self)
{
    struct hd_share *sh = fs->ws.share;
    struct hd_wakeup *task = hd_wakeup_share_node(sh->mine[fs->ws.worker]);
    struct hd_wakeup *top = NULL, **first = &top, *n = task;

    for (uint32_t i = fs->floor; i <= k; i++) {
        struct hd_frame_view f = view(self, i);

        n = make_common(fs, &f, n, first);
        first = &n->child;
    }
    hd_share_write_pointer(sh, &task->child, top);
    hd_share_write_pointer(sh, &sh->made[fs->ws.worker], n);
    hd_share_write(sh, &sh->gift[fs->ws.worker], index + 1);
    hd_share_commit(sh);
}

void hd_frames_give(struct hd_frames_share *fs, uint32_t k, uint64_t index, hd_frame_viewer *view,
                    const void *self)
{
    struct hd_share *sh = fs->ws.share;
    uint32_t w = fs->ws.worker;

    hd_frames_lock(fs);
    if (sh->gift[w] != index + 1)
        make_path(fs, k, index, view, self);
    hd_frames_unlock(fs);
    hd_wakeup_share_give(&fs->ws, sh->made[w]);
    take_path(fs, sh->mine[w]);
}
