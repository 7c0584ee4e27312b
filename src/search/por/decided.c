/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decided.c - stores decisions about races.  Makes no libc calls. */
#include "search/por/decided.h"

void hd_decided_init(struct hd_decided *d, const struct hd_trace *t, struct hd_arena *arena)
{
    d->trace = t;
    if (d->race == NULL)
        d->race = hd_arena_alloc(arena, HD_DECIDED_RACES * sizeof *d->race);
}

/* Finds the minimum of the clocks, for each thread.  Written without branches so that the compiler vectorises
 * it. */
static void find_least(struct hd_decided *d)
{
    const struct hd_trace *t = d->trace;
    uint32_t threads = t->width, steps = hd_reversal_steps(t);
    const uint32_t *restrict clock = hd_trace_clock(t, d->kept);
    uint32_t *restrict least = d->least;

    for (uint32_t i = 0; i < threads; i++)
        least[i] = UINT32_MAX;
    for (uint32_t s = d->kept; s < steps; s++, clock += threads)
        for (uint32_t i = 0; i < threads; i++)
            least[i] = clock[i] < least[i] ? clock[i] : least[i];
}

void hd_decided_start(struct hd_decided *d, uint32_t kept)
{
    d->kept = kept;
    while (d->n > 0 && d->race[d->n - 1].step >= kept)
        d->n--;
    if (d->lost >= kept)
        d->lost = UINT32_MAX;
    if (d->n > 0)
        find_least(d);
}

void hd_decided_add(struct hd_decided *d, struct hd_decided_race r)
{
    if (r.settled && r.end == r.step + 1)
        return;
    if (d->n == HD_DECIDED_RACES)
        hd_decided_lose(d, r.step);
    else
        d->race[d->n++] = r;
}
