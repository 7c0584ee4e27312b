/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_place.c - keeps results of a query for later ones (rule P8 of minpreempt.h).  Makes no libc calls.
 *
 * The queries of an execution are about its prefixes, and most of them end near each other.  Each query starts
 * at the latest place whose cells an earlier query has kept.  While a thread makes no step, it counts as left
 * after its last step (P1); when it makes another one, it counts as left before that step.  So the cells of the
 * places in between are no longer valid and are computed again.  For each thread, all these distances together
 * are no longer than the execution.
 *
 * Only queries that take long make places, and these are a few steps apart, because most queries need few cuts. */
#include "search/por/minpreempt_cut.h"

#include <stdatomic.h>

#include "base/hash.h"

void hd_minpreempt_keep(struct hd_minpreempt *m, uint32_t n)
{
    if (m->nplaces > n / m->apart + 1)
        m->nplaces = n / m->apart + 1;
}

/* ---- the costs of leaving threads ------------------------------------------------------ */

/* Returns a hash of everything that determines whether the operation can run at a cut. */
static uint64_t hash_of_operation(const struct hd_event *op)
{
    if (!(hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS) && !hd_event_awaits(op))
        return 1;
    uint64_t what = (uint64_t)op->kind << 40 | (uint64_t)op->flags << 32 | (uint64_t)op->tid << 16 | op->peer;

    return hd_hash_mix(hd_hash_mix(2, what), (uint64_t)op->obj << 32 | op->obj2);
}

/* Returns a hash of what the cost of leaving the thread after `done` steps depends on; 0: leaving it is free. */
static uint64_t hash_of_next(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    struct hd_racer next = { .op = NULL, .step = HD_NO_STEP };

    if (done != m->count[t] || m->q->pending != NULL)
        next = hd_cut_next_operation(m, t, done);
    bool choice = next.step != HD_NO_STEP && (m->trace->step[next.step].step.flags & HD_STEP_CHOICE);

    if (next.op == NULL)
        return choice;
    struct hd_event op = hd_reversal_normal(m->trace, &next);

    return hd_hash_mix((uint64_t)hd_cut_is_due(m, t, done) << 1 | choice, hash_of_operation(&op));
}

static uint64_t hash_of_follows(const struct hd_minpreempt *m, hd_tid t)
{
    uint64_t h = 1;

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (m->follows[t * m->q->nthreads + u] != 0)
            h = hd_hash_mix(hd_hash_mix(h, u), m->follows[t * m->q->nthreads + u]);
    return h;
}

/* Returns a hash of what the cost of leaving the thread at its last step before the place depends on. */
static uint64_t leaving_thread(const struct hd_minpreempt *m, hd_tid t)
{
    uint64_t h = hash_of_next(m, t, m->all[t]);

    if (m->all[t] < m->count[t] || m->q->real || h == 0 || hd_cut_must_wait(m, m->all, t))
        return h;
    return hd_hash_mix(h, hash_of_follows(m, t));
}

static uint64_t hash_of_place(const struct hd_minpreempt *m)
{
    uint64_t h = m->q->first;

    for (uint32_t t = 0; t < m->q->nthreads; t++)
        if (m->all[t] > 0 || t == m->q->first)
            h = hd_hash_mix(hd_hash_mix(h, (uint64_t)t << 32 | m->goal[t]), leaving_thread(m, (hd_tid)t));
    return h;
}

/* ---- places --------------------------------------------------------------------------------- */

/* Removes from the goal all steps that do not happen before the first step of thread t after the place. */
static void reduce(struct hd_minpreempt *m, hd_tid t)
{
    if (m->all[t] == hd_cut_steps_of(m, t))
        return;
    const uint32_t *clock = hd_cut_clock(m, hd_cut_step(m, t, m->all[t]));

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (u != t && clock[u] < m->goal[u])
            m->goal[u] = clock[u];
}

bool hd_cut_aim(struct hd_minpreempt *m)
{
    struct hd_minpreempt_place *p = &m->next;

    p->n = p->nloose = 0;
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->goal[t] = m->all[t];
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        reduce(m, (hd_tid)t);
    for (uint32_t t = 0; t < m->q->nthreads; t++) {
        if (m->goal[t] == m->all[t])
            continue;
        if (p->nloose == HD_MINPREEMPT_LOOSE)
            return false;
        p->loose[p->nloose++] = (hd_tid)t;
    }
    p->hash = hash_of_place(m);
    p->upto = p->nloose == 0 ? UINT32_MAX : m->most;
    return true;
}

static bool is_known(struct hd_minpreempt *m, uint32_t steps)
{
    const struct hd_minpreempt_place *p = &m->place[steps / m->apart];

    m->work++;
    if (p->n == 0 || p->upto < m->most)
        return false;
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->all[t] = hd_thread_steps_before(&m->steps, (hd_tid)t, steps);
    return hd_cut_aim(m) && p->hash == m->next.hash;
}

uint32_t hd_cut_find_start(struct hd_minpreempt *m)
{
    uint32_t steps = m->q->nsteps - (m->q->extra == NULL && m->q->nsteps > 0);

    steps -= steps % m->apart;
    if (m->forgets || m->trace->exec->waits != 0)
        steps = 0;
    else if (steps >= m->nplaces * m->apart)
        steps = m->nplaces > 0 ? (m->nplaces - 1) * m->apart : 0;
    for (; steps > 0; steps -= m->apart)
        if (is_known(m, steps)) {
            m->now_at = m->place[steps / m->apart];
            return steps;
        }
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->all[t] = 0;
    m->now_at.n = 1;
    m->now_at.nloose = 0;
    m->now_at.cell[0] = (struct hd_minpreempt_cell){ .cost = 0 };
    hd_set_add(&m->now_at.cell[0].last, m->q->first);
    return 0;
}

bool hd_cut_add_cell(struct hd_minpreempt *m, const uint32_t *cut, hd_tid last, uint32_t cost)
{
    struct hd_minpreempt_place *p = &m->next;
    struct hd_minpreempt_cell x = { .cost = cost };
    uint32_t i = 0;

    for (uint32_t k = 0; k < p->nloose; k++)
        x.lacks[k] = m->all[p->loose[k]] - cut[p->loose[k]];
    while (i < p->n && __builtin_memcmp(p->cell[i].lacks, x.lacks, sizeof x.lacks) != 0)
        i++;
    if (i == HD_MINPREEMPT_KEPT)
        return false;
    if (i == p->n)
        p->cell[p->n++] = x;
    if (p->cell[i].cost == cost)
        hd_set_add(&p->cell[i].last, last);
    return true;
}

/* If a worker is killed here, it leaves a complete entry or none. */
void hd_cut_keep_place(struct hd_minpreempt *m, uint32_t steps)
{
    struct hd_minpreempt_place *p = &m->place[steps / m->apart];
    uint32_t n = m->next.n;

    for (; m->nplaces <= steps / m->apart; m->nplaces++) {
        m->place[m->nplaces].n = 0;
        atomic_signal_fence(memory_order_release);
    }
    p->n = m->next.n = 0;
    atomic_signal_fence(memory_order_release);
    *p = m->next;
    atomic_signal_fence(memory_order_release);
    p->n = n;
    m->now_at = *p;
}
