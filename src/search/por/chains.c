/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chains.c - links between the accesses to an object.  Makes no libc calls. */
#include "search/por/chains.h"

#include <stdatomic.h>

#define FEW 4 /* this many accesses after the previous answer are examined one by one */

void hd_chains_init(struct hd_chains *c, const struct hd_trace *t, struct hd_arena *arena)
{
    c->trace = t;
    if (c->link == NULL)
        c->link = hd_arena_alloc(arena, HD_TRACE_ACCESSES * sizeof *c->link);
}

void hd_chains_keep(struct hd_chains *c)
{
    if (c->n > c->trace->naccesses)
        c->n = c->trace->naccesses;
}

/* Returns the target of the second link, by the same rule as jump_from in history.c. */
static uint32_t jump_from(const struct hd_chains *c, uint32_t previous)
{
    const struct hd_chain_link *l = c->link, *p = &l[previous - 1];
    uint32_t middle = p->jump != 0 ? l[p->jump - 1].number : 0;
    uint32_t far = p->jump != 0 ? l[p->jump - 1].jump : 0;
    uint32_t end = far != 0 ? l[far - 1].number : 0;

    return p->number - middle == middle - end ? far : previous;
}

void hd_chains_reach(struct hd_chains *c)
{
    const struct hd_trace *t = c->trace;

    for (; c->n < t->naccesses; c->n++) {
        const struct hd_trace_access *a = &t->access[c->n];
        struct hd_chain_link *l = &c->link[c->n];

        *l = (struct hd_chain_link){ .number = 1 };
        if (a->previous != 0) {
            l->jump = jump_from(c, a->previous);
            l->number = c->link[a->previous - 1].number + 1;
            c->link[a->previous - 1].next = c->n + 1;
            c->link[a->previous - 1].ends = t->access[a->previous - 1].access != a->access;
        }
        c->work++;
        atomic_signal_fence(memory_order_release); /* if the worker is killed, every link counted by n is complete */
    }
}

/* Returns 1 + the access after access i - 1 in its chain; 0 if there is none. */
static uint32_t next_of(const struct hd_chains *c, uint32_t i)
{
    uint32_t next = c->link[i - 1].next;

    return next != 0 && next <= c->n && c->trace->access[next - 1].previous == i ? next : 0;
}

/* Returns 1 + the access that the last query about the object found; 0 if there is none. */
static uint32_t hint_of(const struct hd_chains *c, const uint32_t *hint, uint32_t obj)
{
    uint32_t i = hint[obj % HD_CHAINS_HINTS];

    return i != 0 && i <= c->n && c->trace->access[i - 1].obj == obj ? i : 0;
}

/* Starts at access i - 1.  Returns 1 + the latest access before the step if that is among the next FEW
 * accesses; otherwise 0. */
static uint32_t before_near(struct hd_chains *c, uint32_t i, uint32_t step)
{
    for (unsigned n = 0; n < FEW; n++) {
        uint32_t next = next_of(c, i);

        if (next == 0 || c->trace->access[next - 1].step >= step)
            return i;
        i = next;
        c->work++;
    }
    return 0;
}

uint32_t hd_chains_before(struct hd_chains *c, uint32_t obj, uint32_t step)
{
    const struct hd_trace_access *access = c->trace->access;
    uint32_t hint = hint_of(c, c->before, obj), i = hd_trace_last_access(c->trace, obj);

    if (i == 0 || access[i - 1].step < step)
        return i;
    if (hint != 0 && access[hint - 1].step >= step)
        i = hint;
    else if (hint != 0 && (hint = before_near(c, hint, step)) != 0)
        return c->before[obj % HD_CHAINS_HINTS] = hint;
    while (i != 0 && access[i - 1].step >= step) {
        uint32_t jump = c->link[i - 1].jump;

        i = jump != 0 && access[jump - 1].step >= step ? jump : access[i - 1].previous;
        c->work++;
    }
    c->before[obj % HD_CHAINS_HINTS] = i;
    return i;
}

uint32_t hd_chains_first(const struct hd_chains *c, uint32_t obj)
{
    uint32_t i = hd_trace_last_access(c->trace, obj);

    while (i != 0 && c->link[i - 1].number > 1)
        i = c->link[i - 1].jump != 0 ? c->link[i - 1].jump : c->trace->access[i - 1].previous;
    return i;
}

static bool in_cut(const struct hd_trace *t, const uint32_t *cut, uint32_t i)
{
    const struct hd_trace_step *s = &t->step[t->access[i - 1].step];

    return s->nth <= cut[s->tid];
}

/* True if the accesses of the group (rule C1) of access i - 1, up to that one, are all by one thread.  With
 * more than 32 threads several of them share a bit, so the answer is then always false. */
static bool is_of_one_thread(const struct hd_trace *t, uint32_t i)
{
    uint32_t threads = t->access[i - 1].threads;

    return t->nthreads <= 32 && (threads & (threads - 1)) == 0;
}

/* Rule C1: true if all accesses after access k - 1, up to access i - 1, are outside the cut because access k -
 * 1 is. */
static bool excludes(const struct hd_chains *c, uint32_t k, uint32_t i)
{
    const struct hd_trace *t = c->trace;

    return t->access[k - 1].access == HD_ACC_W || c->link[k - 1].ends ||
           (k > t->access[i - 1].other && is_of_one_thread(t, i));
}

/* Starts at access i - 1, which is in the cut.  Returns 1 + the latest access in the cut, up to access last -
 * 1, if that is among the next FEW accesses; otherwise 0. */
static uint32_t in_cut_near(struct hd_chains *c, uint32_t i, uint32_t last, const uint32_t *cut)
{
    for (unsigned n = 0; n < FEW; n++) {
        uint32_t next = next_of(c, i);

        if (next == 0 || next > last || (!in_cut(c->trace, cut, next) && excludes(c, next, last)))
            return i;
        if (!in_cut(c->trace, cut, next))
            return 0;
        i = next;
        c->work++;
    }
    return 0;
}

static uint32_t search_cut(struct hd_chains *c, uint32_t i, const uint32_t *cut)
{
    const struct hd_trace *t = c->trace;

    while (i != 0 && !in_cut(t, cut, i)) {
        uint32_t jump = c->link[i - 1].jump;

        i = jump != 0 && !in_cut(t, cut, jump) && excludes(c, jump, i) ? jump :
                                                                         t->access[i - 1].previous;
        c->work++;
    }
    return i;
}

uint32_t hd_chains_in_cut(struct hd_chains *c, uint32_t i, const uint32_t *cut)
{
    if (i == 0 || in_cut(c->trace, cut, i))
        return i;
    uint32_t obj = c->trace->access[i - 1].obj, hint = hint_of(c, c->in_cut, obj), near = 0;

    if (hint != 0 && hint < i) {
        if (in_cut(c->trace, cut, hint))
            near = in_cut_near(c, hint, i, cut);
        else if (excludes(c, hint, i))
            i = hint;
    }
    return c->in_cut[obj % HD_CHAINS_HINTS] = near != 0 ? near : search_cut(c, i, cut);
}

uint32_t hd_chains_whole(const struct hd_chains *c, uint32_t i)
{
    const struct hd_trace *t = c->trace;

    if (i == 0 || t->access[i - 1].access == HD_ACC_W || is_of_one_thread(t, i))
        return i;
    return t->access[i - 1].other;
}
