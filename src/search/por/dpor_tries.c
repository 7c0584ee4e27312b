/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor_tries.c - reversals that may turn out to be impossible are tried before they become a part
 * of the wakeup tree (D10).  Makes no libc calls. */
#include "search/por/dpor.h"

void hd_dpor_tries_init(struct hd_dpor *d, const struct hd_strategy_cfg *cfg)
{
    struct hd_dpor_tries *t = &d->tries;

    t->decisions = cfg->decisions;
    t->stands = cfg->stands;
    if (t->step != NULL)
        return;
    t->kept = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *t->kept);
    t->kept_stands = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *t->kept_stands);
    t->step = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *t->step);
}

bool hd_dpor_put_off(struct hd_dpor *d, uint32_t e)
{
    struct hd_dpor_tries *t = &d->tries;
    const struct hd_reversal *r = &d->reversal;
    uint32_t n = r->nv - 1;

    if (r->value == 0 || t->n == HD_DPOR_TRIES || n > HD_TRACE_STEPS - t->nstep || d->guesses)
        return false;
    t->row[t->n++] = (struct hd_dpor_try){ .e = e, .first = t->nstep, .n = n, .last = r->last,
                                           .key = r->key, .value = r->value };
    for (uint32_t i = 0; i < n; i++)
        t->step[t->nstep++] = r->index[i];
    return true;
}

static void insert(struct hd_dpor *d, const struct hd_dpor_try *row)
{
    struct hd_reversal *r = &d->reversal;

    for (uint32_t i = 0; i < row->n; i++)
        r->v[i] = &d->path.trace.step[d->tries.step[row->first + i]].step;
    r->last = row->last;
    r->v[row->n] = &r->last;
    r->nv = row->n + 1;
    r->fixed = false;
    hd_dpor_want(d, row->e, HD_NO_STEP, &(struct hd_sequence){ .v = r->v, .n = r->nv });
}

uint32_t hd_dpor_settle(struct hd_dpor *d, uint32_t i, bool tried)
{
    const struct hd_dpor_tries *t = &d->tries;

    for (; i < t->n; i++, tried = false) {
        enum hd_await_outcome o =
            hd_await_find(d->exec->awaits, t->row[i].key, hd_await_hashed(t->row[i].value));

        if (o == HD_AWAIT_GOES_ROUND)
            continue;
        if (o == HD_AWAIT_UNKNOWN && !tried && hd_dpor_is_optimal(d))
            return i;
        if (o == HD_AWAIT_UNKNOWN)
            hd_dpor_lose(d);
        insert(d, &t->row[i]);
    }
    return i;
}

void hd_dpor_tries_keep(struct hd_dpor *d, uint32_t n)
{
    struct hd_dpor_tries *t = &d->tries;

    t->nkept = n < HD_TRACE_STEPS ? n : HD_TRACE_STEPS;
    for (uint32_t i = 0; i < t->nkept; i++) {
        t->kept[i] = t->decisions[i];
        t->kept_stands[i] = t->stands[i];
    }
}

void hd_dpor_tries_over(struct hd_dpor *d)
{
    struct hd_dpor_tries *t = &d->tries;

    for (uint32_t i = 0; i < t->nkept; i++) {
        t->decisions[i] = t->kept[i];
        t->stands[i] = t->kept_stands[i];
    }
}

/* Returns step k of the execution that tries the row; NULL after its end. */
static const struct hd_step *due(const struct hd_dpor *d, const struct hd_dpor_try *row, uint32_t k)
{
    if (k < row->e)
        return &d->frames[k].node->step;
    if (k < row->e + row->n)
        return &d->path.trace.step[d->tries.step[row->first + k - row->e]].step;
    return k == row->e + row->n ? &row->last : NULL;
}

hd_tid hd_dpor_try_pick(const struct hd_dpor *d, const struct hd_point *at)
{
    const struct hd_step *s = due(d, d->tries.now, at->step);
    hd_tid t = s != NULL && !at->again ? hd_path_tid(&d->path, s->slot, at->nthreads) : HD_NO_TID;

    return t != HD_NO_TID && hd_set_has(&at->enabled, t) ? t : HD_NO_TID;
}

uint32_t hd_dpor_try_choose(const struct hd_dpor *d, const struct hd_point *at, uint32_t n)
{
    const struct hd_step *s = due(d, d->tries.now, at->step);

    return s != NULL && s->flags & HD_STEP_CHOICE && s->n == n ? s->alt : HD_NO_ALTERNATIVE;
}
