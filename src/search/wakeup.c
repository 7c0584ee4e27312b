/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup.c - the wakeup tree: memory, insertion.  Pure memory: no libc. */
#include "search/wakeup.h"

#include <stdatomic.h>

#define CHUNK 256

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

    pool->free = n->next;
    if (++pool->in_use > pool->in_use_max)
        pool->in_use_max = pool->in_use;
    return n;
}

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                const struct hd_step *step)
{
    struct hd_wakeup *n = take(pool);

    *n = (struct hd_wakeup){ .step = *step, .parent = parent };
    return n;
}

/* Without recursion: a tree is as deep as an execution is long. */
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

static bool is_choice(const struct hd_wakeup *n)
{
    return n != NULL && n->step.flags & HD_STEP_CHOICE;
}

void hd_wakeup_clear(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    struct hd_wakeup *below = n->child;

    if (is_choice(below)) {
        for (struct hd_wakeup *c = below; c != NULL; c = c->next)
            hd_wakeup_clear(pool, c);
        return;
    }
    n->child = NULL;
    atomic_signal_fence(memory_order_release);
    free_list(pool, below);
}

void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    n->task = HD_WAKEUP_DONE;
    hd_wakeup_clear(pool, n);
}

bool hd_wakeup_covers_choice(const struct hd_wakeup *n)
{
    uint32_t there = 0;

    if (!is_choice(n->child))
        return true;
    for (const struct hd_wakeup *c = n->child; c != NULL; c = c->next)
        there++;
    return there == n->child->step.n;
}

/* The thread's first step leaves v, which goes on behind it.  A choice has to follow
 * its step at once.  What stood before the step moves up: sequences that are alike are
 * alike from the start, so that is little. */
static const struct hd_step **take_out(const struct hd_step **v, uint32_t *nv, uint16_t slot)
{
    uint32_t i = hd_step_first_of(v, *nv, slot);

    if (i == *nv)
        return v;
    bool chooses = i + 1 < *nv && v[i + 1]->slot == slot && v[i + 1]->flags & HD_STEP_CHOICE;
    const struct hd_step *choice = chooses ? v[i + 1] : NULL;

    for (uint32_t k = i + chooses; k > chooses; k--)
        v[k] = v[k - 1 - chooses];
    if (chooses)
        v[1] = choice;
    --*nv;
    return v + 1;
}

static bool may_enter(const struct hd_wakeup *n, const struct hd_step *const *v, uint32_t nv)
{
    return hd_step_weak_initial(&n->step, v, nv) &&
           (hd_step_first_of(v, nv, n->step.slot) < nv || hd_wakeup_covers_choice(n));
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

struct hd_wakeup **hd_wakeup_place(struct hd_wakeup **list, struct hd_wakeup **parent,
                                   struct hd_sequence *todo)
{
    while (*list != NULL) {
        struct hd_wakeup *n = *list;

        if (!may_enter(n, todo->v, todo->n)) {
            list = &n->next;
            continue;
        }
        todo->v = take_out(todo->v, &todo->n, n->step.slot);
        if (n->task != NULL || n->child == NULL || todo->n == 0)
            return NULL;
        *parent = n;
        list = &n->child;
    }
    return list;
}

bool hd_wakeup_insert(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                      struct hd_wakeup **list, const struct hd_step **v, uint32_t nv)
{
    struct hd_sequence todo = { v, nv };

    list = hd_wakeup_place(list, &parent, &todo);
    if (list == NULL)
        return false;
    struct hd_wakeup *added = hd_wakeup_chain(pool, parent, todo.v, todo.n);

    atomic_signal_fence(memory_order_release);
    *list = added;
    return true;
}
