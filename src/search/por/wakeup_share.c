/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup_share.c - tasks of a shared wakeup tree.  Makes no libc calls. */
#include "search/por/wakeup_share.h"

#include "base/check.h"

/* True if the node is the root of a task that is queued or running. */
static bool has_task(const struct hd_wakeup *n)
{
    return n->task != NULL && n->task != HD_WAKEUP_DONE && hd_wakeup_share_node(n->task) == n;
}

/* Clears `quiet` for n and its ancestors: a task is or will be queued below.  Ancestors of
 * a node that is not quiet are not quiet either. */
static void wake(struct hd_wakeup *n)
{
    for (; n != NULL && n->quiet; n = n->parent)
        n->quiet = false;
}

/* Tells waiting workers to look for a task again.  The caller holds the lock. */
static void note_change(struct hd_share *sh)
{
    __atomic_store_n(&sh->changes, sh->changes + 1, __ATOMIC_RELEASE);
}

/* Lists the stores that make n a task; the caller commits them together (H2 of share.h) and has called `wake`
 * for an ancestor of n. */
static void queue(struct hd_share *sh, struct hd_wakeup *n)
{
    struct hd_task *t = hd_share_task(sh, sizeof(uint64_t));

    t->payload[0] = (uintptr_t)n;
    hd_share_write_pointer(sh, &n->task, t);
    hd_share_queue(sh, t);
    note_change(sh);
}

static void start(void *self, struct hd_share *sh)
{
    struct hd_wakeup *root = hd_share_alloc(sh, sizeof *root);

    (void)self;
    hd_share_write_pointer(sh, &sh->root, root);
    queue(sh, root);
}

static void finish(void *self, struct hd_share *sh, struct hd_task *t)
{
    struct hd_wakeup_share *ws = self;
    struct hd_wakeup *n = hd_wakeup_share_node(t);

    ws->last = n;
    hd_wakeup_clear(ws->pool, n);
    note_change(sh);
    hd_share_write_pointer(sh, &n->task, HD_WAKEUP_DONE);
    hd_share_write(sh, &sh->flags, sh->flags | ws->leaving);
}

/* Returns the leftmost node with a task that is not done; NULL if there is none.  On the way, it marks nodes
 * whose children are all done as done, and frees the nodes below them. */
static struct hd_wakeup *leftmost(struct hd_wakeup_share *ws)
{
    struct hd_wakeup *root = ws->share->root, *n = root;

    while (root->task != HD_WAKEUP_DONE && !has_task(n)) {
        struct hd_wakeup *c = n->child;

        while (c != NULL && c->task == HD_WAKEUP_DONE)
            c = c->next;
        if (c != NULL) {
            n = c;
            continue;
        }
        c = n->parent;
        if (hd_wakeup_is_outside(n)) /* what is wanted there is kept (T6) */
            n->task = HD_WAKEUP_DONE;
        else
            hd_wakeup_prune(ws->pool, n);
        n = c != NULL ? c : root;
    }
    return root->task != HD_WAKEUP_DONE ? n : NULL;
}

static void settle(void *self, struct hd_share *sh)
{
    struct hd_wakeup_share *ws = self;

    __atomic_store_n(&sh->held[ws->worker], ws->pool->in_use, __ATOMIC_RELAXED);
}

void hd_wakeup_share_note(struct hd_wakeup_share *ws, enum hd_wakeup_flag flag)
{
    struct hd_share *sh = ws->share;

    if (sh == NULL || hd_wakeup_share_has(ws, flag))
        return;
    hd_share_lock(sh, ws->worker);
    __atomic_store_n(&sh->flags, sh->flags | flag, __ATOMIC_RELAXED);
    hd_share_unlock(sh);
}

bool hd_wakeup_share_has(const struct hd_wakeup_share *ws, enum hd_wakeup_flag flag)
{
    return ws->share != NULL && (__atomic_load_n(&ws->share->flags, __ATOMIC_RELAXED) & flag) != 0;
}

static bool is_full(const struct hd_wakeup_share *ws)
{
    int64_t n = 0;

    for (uint32_t w = 0; w < HD_SHARE_WORKERS; w++)
        n += ws->share->held[w];
    return n > ws->retain;
}

static bool is_queued(const struct hd_wakeup_share *ws, const struct hd_task *t)
{
    for (uint32_t w = 0; w < ws->nworkers; w++)
        if (ws->share->mine[w] == t)
            return false;
    return true;
}

/* Rule T1: true if tasks right of n may start. */
static bool is_settled(const struct hd_wakeup *n)
{
    return n->known || n->step.flags & HD_STEP_CHOICE || n->task == HD_WAKEUP_DONE;
}

static bool all_quiet(const struct hd_wakeup *c)
{
    while (c != NULL && c->quiet)
        c = c->next;
    return c == NULL;
}

/* Returns the next node, in the order of the tree, that is not below n and that T1 allows to visit. */
static struct hd_wakeup *beyond(struct hd_wakeup *n)
{
    while (n->parent != NULL && (n->next == NULL || !is_settled(n))) {
        n = n->parent;
        if (!n->quiet && all_quiet(n->child)) /* stores only if necessary: other workers read this word */
            n->quiet = true;
    }
    return n->next;
}

/* True if n itself has no task to start, whatever is below it. */
static bool is_taken(const struct hd_wakeup_share *ws, const struct hd_wakeup *n)
{
    return n->task == HD_WAKEUP_DONE || !has_task(n) || !is_queued(ws, n->task);
}

/* Returns the first task from n to the right that may start (T1, T5), or NULL. */
static struct hd_task *next_from(const struct hd_wakeup_share *ws, struct hd_wakeup *n)
{
    while (n != NULL) {
        if (n->quiet) {
            n = beyond(n);
        } else if (!is_taken(ws, n)) {
            if (!hd_wakeup_is_open(n))
                return n->task;
            n = beyond(n);
        } else if (n->task != HD_WAKEUP_DONE && !has_task(n) && n->child != NULL) {
            n = n->child;
        } else {
            n->quiet = true;
            n = beyond(n);
        }
    }
    return NULL;
}

/* Returns the leftmost task, which may always start, or the next one to the right. */
static struct hd_task *from_the_left(struct hd_wakeup_share *ws)
{
    struct hd_wakeup *first = leftmost(ws);
    bool full = is_full(ws);

    if (first == NULL)
        return NULL;
    if ((full || hd_wakeup_is_open(first)) && is_queued(ws, first->task))
        return first->task;
    return full ? NULL : next_from(ws, first);
}

/* After this many tasks a worker looks for finished nodes, although another task is near. */
#define TASKS_PER_LOOK 64

/* Chooses the next task.  Prefers one after the worker's previous task: most frames of its path exist already,
 * and the worker stays away from the others. */
static struct hd_task *best(void *self, struct hd_share *sh)
{
    struct hd_wakeup_share *ws = self;
    struct hd_task *t = NULL;

    (void)sh;
    if (ws->last != NULL && ++ws->looks % TASKS_PER_LOOK != 0 && !is_full(ws))
        t = next_from(ws, ws->last);
    return t != NULL ? t : from_the_left(ws);
}

/* Starts again at the root with a larger bound and an empty tree. */
static void next_pass(struct hd_wakeup_share *ws, struct hd_share *sh)
{
    ws->last = NULL;
    hd_wakeup_clear(ws->pool, sh->root);
    hd_share_write(sh, &sh->bound, sh->bound + 1);
    hd_share_write(sh, &sh->flags, sh->flags & ~(uint64_t)HD_WAKEUP_PRUNED);
    wake(sh->root);
    queue(sh, sh->root);
}

static void all_done(void *self, struct hd_share *sh)
{
    struct hd_wakeup_share *ws = self;

    if (ws->deepens && sh->flags & HD_WAKEUP_PRUNED && !sh->leased)
        next_pass(ws, sh);
    else
        hd_share_write(sh, &sh->verdict,
                       HD_SHARE_OVER | (sh->flags & ws->missing ? 0u : HD_SHARE_COMPLETE));
}

void hd_wakeup_share_plant(struct hd_share *sh, struct hd_wakeup *n)
{
    queue(sh, n);
    hd_share_commit(sh);
}

static const struct hd_share_user user = {
    .start = start,
    .finish = finish,
    .settle = settle,
    .best = best,
    .idle = all_done,
};

void hd_wakeup_share_open(struct hd_wakeup_share *ws, const struct hd_strategy_cfg *cfg,
                          struct hd_wakeup_pool *pool, int64_t retain)
{
    ws->pool = pool;
    ws->worker = pool->worker = cfg->worker;
    ws->retain = retain;
    ws->missing = HD_WAKEUP_NOT_ALL_SEEN;
    ws->nworkers = cfg->nworkers;
    ws->share = pool->share = hd_share_open(cfg, &user, ws);
}

struct hd_task *hd_wakeup_share_next(struct hd_wakeup_share *ws, uint64_t finished, uint64_t flags)
{
    struct hd_share *sh = ws->share;
    uint64_t changes = __atomic_load_n(&sh->changes, __ATOMIC_ACQUIRE);

    if (ws->in_vain == changes + 1) {
        if (!hd_share_wanted(sh)) /* another worker found a task and cleared the flag */
            __atomic_store_n(&sh->wanted, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    ws->in_vain = 0;
    ws->leaving = flags;
    ws->last = NULL;
    struct hd_task *t = hd_share_next(sh, ws->worker, finished, &user, ws);

    if (t == NULL)
        ws->in_vain = changes + 1; /* looking again is useless until `changes` changes */
    return t;
}

static uint32_t depth_of(const struct hd_wakeup *n)
{
    uint32_t depth = 0;

    for (; n->parent != NULL; n = n->parent)
        depth++;
    return depth;
}

uint32_t hd_wakeup_share_depth(const struct hd_task *t)
{
    return depth_of(hd_wakeup_share_node(t));
}

uint32_t hd_wakeup_share_first(const struct hd_task *t)
{
    const struct hd_wakeup *n = hd_wakeup_share_node(t);

    while (n->parent != NULL && n->parent->child == n)
        n = n->parent;
    return n->parent != NULL ? depth_of(n) - 1 : 0;
}

/* Rule T5: a branch becomes a task at its open choice or, without one, at its leaf. */
static bool becomes_task(const struct hd_wakeup *n)
{
    return n->child == NULL || hd_wakeup_is_open(n);
}

/* True if n is below an open choice that is a task, and so will be explored by that. */
static bool belongs_to_task(const struct hd_wakeup *n)
{
    while (n != NULL && !(hd_wakeup_is_open(n) && has_task(n)))
        n = n->parent;
    return n != NULL;
}

/* Records a step that must be explored at a node outside of this machine's part of the search, so that the campaign
 * gives it to some machine. */
static void insert_above(struct hd_wakeup_share *ws, struct hd_wakeup *parent, struct hd_wakeup **list,
                         const struct hd_step *step)
{
    struct hd_wakeup *n = hd_wakeup_new(ws->pool, parent, step);

    n->origin = HD_WAKEUP_ABOVE;
    n->task = HD_WAKEUP_DONE;
    hd_share_write_pointer(ws->share, list, n);
    hd_share_commit(ws->share);
}

static void insert_chain(struct hd_wakeup_share *ws, struct hd_wakeup *parent,
                         struct hd_wakeup **list, const struct hd_sequence *s)
{
    if (hd_wakeup_is_outside(parent)) {
        insert_above(ws, parent, list, s->v[0]);
        return;
    }
    struct hd_wakeup *added = hd_wakeup_chain(ws->pool, parent, s->v, s->n);
    struct hd_wakeup *n = added;

    while (!becomes_task(n))
        n = n->child;
    wake(parent);
    if (!belongs_to_task(parent))
        queue(ws->share, n);
    hd_share_write_pointer(ws->share, list, added);
    hd_share_commit(ws->share);
}

static struct hd_wakeup **end_without_initial(struct hd_wakeup **list,
                                              const struct hd_step *const *v, uint32_t nv)
{
    for (; *list != NULL; list = &(*list)->next)
        if (hd_step_initial(&(*list)->step, v, nv))
            return NULL;
    return list;
}

void hd_wakeup_share_insert(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                            struct hd_sequence *v, const struct hd_step *initial)
{
    struct hd_wakeup *parent = n->parent;
    struct hd_sequence first = { .v = &initial, .n = 1 };
    struct hd_wakeup **list = &n->next;

    if (initial == NULL)
        list = hd_wakeup_place(ws->pool, list, &parent, v);
    else
        list = end_without_initial(list, v->v, v->n);
    if (list != NULL)
        insert_chain(ws, parent, list, initial == NULL ? v : &first);
}

void hd_wakeup_share_want(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                          const struct hd_step *step)
{
    struct hd_wakeup **list = &n->parent->child;
    const struct hd_step *v[] = { step };
    struct hd_sequence s = { .v = v, .n = 1 };

    for (; *list != NULL; list = &(*list)->next)
        if ((*list)->step.slot == step->slot &&
            hd_step_alternative(&(*list)->step) == hd_step_alternative(step))
            return;
    insert_chain(ws, n->parent, list, &s);
}

/* A step that is only partly written counts as conflicting with everything.  That is sound, and the next worker
 * that executes the step completes it. */
static void store_step(struct hd_step *to, const struct hd_step *from)
{
    __atomic_store_n(&to->flags, from->flags | HD_STEP_ALL, __ATOMIC_RELEASE);
    to->near = from->near; /* near shares its memory with alt and n of a choice */
    for (unsigned i = 0; i < HD_STEP_ACCESSES; i++)
        to->on[i] = from->on[i];
    to->naccesses = from->naccesses;
    __atomic_store_n(&to->flags, from->flags, __ATOMIC_RELEASE);
}

static bool same_step(const struct hd_step *a, const struct hd_step *b)
{
    bool same = a->flags == b->flags && a->near == b->near && a->naccesses == b->naccesses;

    for (unsigned i = 0; same && i < a->naccesses; i++)
        same = a->on[i].obj == b->on[i].obj && a->on[i].access == b->on[i].access;
    return same;
}

void hd_wakeup_share_learn(struct hd_wakeup_share *ws, struct hd_wakeup *last, uint32_t n,
                           const struct hd_trace *trace)
{
    if (n == 0 || last->known)
        return;
    hd_share_lock(ws->share, ws->worker);
    for (uint32_t k = n; k > 0 && !last->known; k--, last = last->parent) {
        if (!same_step(&last->step, &trace->step[k - 1].step))
            store_step(&last->step, &trace->step[k - 1].step);
        __atomic_store_n(&last->known, true, __ATOMIC_RELEASE);
    }
    note_change(ws->share);
    hd_share_unlock(ws->share);
}

/* Returns the node that follows n and its subtree, within the subtree of top. */
static struct hd_wakeup *behind(struct hd_wakeup *n, const struct hd_wakeup *top)
{
    while (n != top && n->next == NULL)
        n = n->parent;
    return n != top ? n->next : NULL;
}

static void queue_leaves(struct hd_share *sh, struct hd_wakeup *top)
{
    for (struct hd_wakeup *n = top; n != NULL;) {
        if (n->task == NULL && !becomes_task(n)) {
            n = n->child;
            continue;
        }
        if (n->task == NULL) {
            queue(sh, n);
            hd_share_commit(sh);
        }
        n = behind(n, top);
    }
}

void hd_wakeup_share_give(struct hd_wakeup_share *ws, struct hd_wakeup *n)
{
    struct hd_share *sh = ws->share;

    hd_share_lock(sh, ws->worker);
    struct hd_task *t = sh->mine[ws->worker];

    wake(hd_wakeup_share_node(t)); /* its subtree was private so far */
    for (struct hd_wakeup *s = n->next; s != NULL; s = s->next)
        queue_leaves(sh, s);
    if (hd_wakeup_share_node(t) != n) {
        hd_share_write_pointer(sh, &n->task, t);
        hd_share_write(sh, &t->payload[0], (uintptr_t)n);
        hd_share_write(sh, &sh->given, sh->given + 1);
        hd_share_write(sh, &sh->wanted, 0);
        hd_share_commit(sh);
    }
    hd_share_unlock(sh);
}

/* ---- how much is explored ---- */

static uint32_t siblings(const struct hd_wakeup *n)
{
    uint32_t count = 0;

    for (n = n->parent->child; n != NULL; n = n->next)
        count++;
    return count;
}

/* Returns how much of the task is explored; 0 if it is still queued. */
static double part_of(const struct hd_wakeup_share *ws, const struct hd_task *t)
{
    for (uint32_t w = 0; w < ws->nworkers; w++)
        if (ws->share->mine[w] == t)
            return hd_share_get(&ws->share->part[w]);
    return 0;
}

/* Adds up the explored weight of the common tree.  The children of a node share its weight equally. */
static double explored(const struct hd_wakeup_share *ws)
{
    const struct hd_wakeup *root = ws->share->root, *n = root;
    double sum = 0, weight = 1;

    for (;;) {
        bool task = has_task(n);

        if (n->task == HD_WAKEUP_DONE || task)
            sum += weight * (task ? part_of(ws, n->task) : 1);
        else if (n->child != NULL) {
            n = n->child;
            weight /= siblings(n);
            continue;
        }
        while (n != root && n->next == NULL) {
            weight *= siblings(n);
            n = n->parent;
        }
        if (n == root)
            return sum;
        n = n->next;
    }
}

void hd_wakeup_share_tell(struct hd_wakeup_share *ws, double part)
{
    struct hd_share *sh = ws->share;

    if (sh->leased) /* the tool gave these workers only a part of the search; the rest is not known here */
        return;
    hd_share_put(&sh->part[ws->worker], part);
    hd_share_lock(sh, ws->worker);
    hd_share_put(&sh->explored, explored(ws));
    hd_share_unlock(sh);
}
