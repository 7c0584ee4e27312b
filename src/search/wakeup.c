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

static struct hd_wakeup *take(struct hd_wakeup_pool *pool)
{
    if (pool->free == NULL) {
        struct hd_wakeup *chunk = hd_arena_alloc(pool->arena, CHUNK * sizeof *chunk);

        for (int i = 0; i < CHUNK; i++)
            put(pool, &chunk[i]);
    }
    struct hd_wakeup *n = pool->free;

    pool->free = n->next;
    if (++pool->in_use > pool->in_use_max)
        pool->in_use_max = pool->in_use;
    return n;
}

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, const struct hd_step *step)
{
    struct hd_wakeup *n = take(pool);

    n->step = *step;
    n->child = n->next = NULL;
    n->free = false;
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

void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n)
{
    struct hd_wakeup *below = n->child;

    if (is_choice(below)) {
        for (struct hd_wakeup *c = below; c != NULL; c = c->next)
            hd_wakeup_prune(pool, c);
        return;
    }
    n->child = NULL;
    atomic_signal_fence(memory_order_release);
    free_list(pool, below);
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

static struct hd_wakeup *chain(struct hd_wakeup_pool *pool, const struct hd_step *const *v,
                               uint32_t nv)
{
    struct hd_wakeup *below = NULL;

    for (uint32_t i = nv; i > 0; i--) {
        struct hd_wakeup *n = hd_wakeup_new(pool, v[i - 1]);

        n->child = below;
        below = n;
    }
    return below;
}

bool hd_wakeup_insert(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                      const struct hd_step **v, uint32_t nv)
{
    while (*list != NULL) {
        struct hd_wakeup *n = *list;

        if (!may_enter(n, v, nv)) {
            list = &n->next;
            continue;
        }
        v = take_out(v, &nv, n->step.slot);
        if (n->child == NULL || nv == 0)
            return false;
        list = &n->child;
    }
    struct hd_wakeup *added = chain(pool, v, nv);

    atomic_signal_fence(memory_order_release);
    *list = added;
    return true;
}
