/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup.c - the wakeup tree: memory, insertion.  Makes no libc calls. */
#include "search/por/wakeup.h"
#include "base/limits.h"
#include "base/rules.h"

#include <stdatomic.h>

#define CHUNK HD_LIMIT(256, 1)

static void put(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    if (n->free)
        return;
    n->free = true;
    n->child = NULL;
    n->next = pool->free;
    atomic_signal_fence(memory_order_release);
    pool->free = n;
}

static void *chunk_of(struct hd_wakeup_pool *pool, size_t n)
{
    if (pool->share == NULL)
        return hd_arena_alloc(pool->arena, n);
    bool inside = hd_share_locked(pool->share, pool->worker);

    if (!inside)
        hd_share_lock(pool->share, pool->worker);
    void *p = hd_share_alloc(pool->share, n);

    if (!inside)
        hd_share_unlock(pool->share);
    return p;
}

static struct hd_wakeup *take(struct hd_wakeup_pool *pool)
{
    if (pool->free == NULL) {
        struct hd_wakeup *chunk = chunk_of(pool, CHUNK * sizeof *chunk);

        for (int i = 0; i < CHUNK; i++)
            put(pool, &chunk[i]);
    }
    struct hd_wakeup *n = pool->free;

    HD_CHECK(n->free && n->child == NULL, "W1: a node of the pool is in no tree");
    pool->free = n->next;
    __builtin_prefetch(n->next);
    if (++pool->in_use > pool->in_use_max)
        pool->in_use_max = pool->in_use;
    return n;
}

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                const struct hd_step *step)
{
    struct hd_wakeup *n = take(pool);

    *n = (struct hd_wakeup){ .step = *step, .parent = parent, .use = n->use + 1 };
    return n;
}

/* Frees the nodes.  Iterative, because the tree can be as deep as an execution is long. */
static void free_list(struct hd_wakeup_pool *pool, struct hd_wakeup *todo)
{
    while (todo != NULL) {
        struct hd_wakeup *n = todo;
        struct hd_wakeup *below = n->child;

        todo = n->next;
        while (below != NULL) {
            struct hd_wakeup *next = below->next;

            below->next = todo;
            todo = below;
            below = next;
        }
        pool->in_use--;
        put(pool, n);
    }
}

void hd_wakeup_clear(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    struct hd_wakeup *below = n->child;

    n->child = NULL;
    atomic_signal_fence(memory_order_release);
    free_list(pool, below);
}

void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    n->task = HD_WAKEUP_DONE;
    atomic_signal_fence(memory_order_release); /* without this order, the node would look like an unexplored
                                                * leaf for a moment */
    hd_wakeup_clear(pool, n);
}

void hd_wakeup_drop(struct hd_wakeup_pool *pool, struct hd_wakeup **link)
{
    struct hd_wakeup *n = *link;

    *link = n->next;
    atomic_signal_fence(memory_order_release);
    n->next = NULL;
    free_list(pool, n);
}

/* Moves v[at] to the front of v. */
static void move_to_front(const struct hd_step **v, uint32_t at)
{
    const struct hd_step *moved = v[at];

    for (; at > 0; at--)
        v[at] = v[at - 1];
    v[0] = moved;
}

/* Removes step i from v, with the choices that directly follow it, by moving them to the front.  Similar
 * sequences begin alike, so i is usually small.  If i is the end of v, nothing is removed. */
static inline void take_out(struct hd_sequence *s, uint32_t i)
{
    const struct hd_step **v = s->v;
    uint32_t n = 0;

    if (i == s->n) {
        s->loose = true;
        return;
    }
    hd_sequence_depends_on(s, v[i]);
    if (i > 0)
        do
            move_to_front(v + n, i);
        while (i + ++n < s->n && v[i + n]->slot == v[0]->slot &&
               v[i + n]->flags & HD_STEP_CHOICE);
    s->n--;
    s->v++;
}

struct hd_wakeup *hd_wakeup_chain(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                  const struct hd_step *const *v, uint32_t nv)
{
    struct hd_wakeup *top = NULL;

    for (uint32_t i = 0; i < nv; i++) {
        struct hd_wakeup *n = hd_wakeup_new(pool, parent, v[i]);

        if (top == NULL)
            top = n;
        else
            parent->child = n;
        parent = n;
    }
    return top;
}

bool hd_wakeup_may_split(const struct hd_wakeup *n)
{
    return n->step.flags & HD_STEP_OPEN && !(n->child->step.flags & HD_STEP_CHOICE);
}

/* Copies `from`, its siblings and everything below them.  The copy is not linked to the parent. */
static struct hd_wakeup *copy(struct hd_wakeup_pool *pool, const struct hd_wakeup *from,
                              struct hd_wakeup *parent)
{
    struct hd_wakeup *top = NULL, **link = &top, *to = parent;

    while (from != NULL) {
        struct hd_wakeup *n = hd_wakeup_new(pool, to, &from->step);

        *link = n;
        if (from->child != NULL) {
            from = from->child;
            to = n;
            link = &n->child;
            continue;
        }
        for (; from->next == NULL && to != parent; to = to->parent) {
            from = from->parent;
            n = to;
        }
        from = from->next;
        link = &n->next;
    }
    return top;
}

void hd_wakeup_split(struct hd_wakeup_pool *pool, struct hd_wakeup *n, uint16_t alternatives)
{
    struct hd_step s = { .slot = n->step.slot, .n = alternatives,
                         .flags = HD_STEP_CHOICE | HD_STEP_OPEN };
    struct hd_wakeup *below = n->child, *first = NULL;

    for (s.alt = alternatives; s.alt-- > 0;) {
        struct hd_wakeup *c = hd_wakeup_new(pool, n, &s);

        c->child = copy(pool, below, c);
        c->next = first;
        first = c;
    }
    atomic_signal_fence(memory_order_release);
    n->child = first;
    atomic_signal_fence(memory_order_release);
    free_list(pool, below);
}

/* True if v continues with a choice that is not in the tree. */
static bool chooses_again(const struct hd_wakeup *n, const struct hd_step *next)
{
    return hd_wakeup_may_split(n) && next->slot == n->step.slot && next->flags & HD_STEP_CHOICE;
}

/* Stores in n the accesses of its step, which v knows.  The flags are stored last, because they make the
 * accesses valid (rule S4). */
static void learn(struct hd_wakeup *n, const struct hd_step *step)
{
    for (unsigned i = 0; i < HD_STEP_ACCESSES; i++)
        n->step.on[i] = step->on[i];
    n->step.naccesses = step->naccesses;
    n->step.near = step->near;
    atomic_signal_fence(memory_order_release);
    n->step.flags = step->flags;
}

struct hd_wakeup **hd_wakeup_place(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                                   struct hd_wakeup **parent, struct hd_sequence *todo)
{
    while (*list != NULL) {
        struct hd_wakeup *n = *list;
        uint32_t at = hd_sequence_initial(&n->step, todo);

        if (at == HD_NOT_INITIAL) {
            hd_sequence_depends_on_obstacle(todo, &n->step);
            list = &n->next;
            continue;
        }
        if (HD_UNLIKELY(n->step.flags & HD_STEP_ALL) && at < todo->n)
            learn(n, todo->v[at]);
        take_out(todo, at);
        if (todo->n == 0 || (hd_wakeup_is_settled(n) && !todo->whole))
            return NULL;
        if (chooses_again(n, todo->v[0]))
            hd_wakeup_split(pool, n, todo->v[0]->n);
        *parent = n;
        list = &n->child;
    }
    return list;
}

static bool is_whole(const struct hd_wakeup *n, const struct hd_wakeup *parent, uint32_t length)
{
    for (; n != NULL && !n->free && n->parent == parent && n->next == NULL; n = n->child, length--)
        parent = n;
    return n == NULL && length == 0;
}

void hd_wakeup_add(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                   struct hd_wakeup **list, const struct hd_step *const *v, uint32_t nv)
{
    struct hd_wakeup *added = hd_wakeup_chain(pool, parent, v, nv);

    HD_CHECK(is_whole(added, parent, nv), "W1: nodes are complete before they are linked");
    atomic_signal_fence(memory_order_release);
    *list = added;
}
