/* SPDX-License-Identifier: BSD-2-Clause
 *
 * beside.c - finds the steps beside e, either by examining every later step or by merging the lists of the
 * threads.  Makes no libc calls. */
#include "search/por/beside.h"

void hd_beside_init(struct hd_beside *b, const struct hd_trace *t, struct hd_arena *arena)
{
    b->trace = t;
    if (b->step != NULL)
        return;
    b->few = 64;
    b->step = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *b->step);
}

static void scan(struct hd_beside *b, uint32_t e, uint32_t to)
{
    const struct hd_trace *t = b->trace;
    uint32_t n = 0, width = t->width, nth = t->step[e].nth;
    const uint32_t *knows = &hd_trace_clock(t, e + 1)[t->step[e].tid];
    uint32_t *step = b->step;

    for (uint32_t s = e + 1; s < to; s++, knows += width)
        if (*knows < nth)
            step[n++] = s;
    b->work += to - e;
    b->n = n;
}

/* Stores in `last`, for each thread with steps beside e, the latest of these steps.  Returns the number of such
 * threads; *all is the number of all these steps. */
static uint32_t latest_of_threads(struct hd_beside *b, uint32_t e, uint32_t nsteps, uint32_t *last,
                                  uint32_t *all)
{
    const struct hd_trace *t = b->trace;
    uint32_t n = 0;

    *all = 0;
    for (uint32_t u = 0; u < t->nthreads; u++) {
        uint32_t s = u != t->step[e].tid ? hd_trace_thread_beside(t, (hd_tid)u, e, nsteps) : HD_NO_STEP;

        if (s == HD_NO_STEP || s <= e)
            continue;
        uint32_t before = hd_trace_thread_before(t, (hd_tid)u, e);

        *all += t->step[s].nth - (before != HD_NO_STEP ? t->step[before].nth : 0);
        last[n++] = s;
    }
    b->work += t->nthreads;
    return n;
}

/* Merges the steps of all threads from the end: takes the latest remaining step each time. */
static void merge(struct hd_beside *b, uint32_t e, uint32_t *last, uint32_t n)
{
    const struct hd_trace *t = b->trace;
    uint32_t end = HD_TRACE_STEPS, at = end;

    while (n > 0) {
        uint32_t k = 0;

        for (uint32_t i = 1; i < n; i++)
            k = last[i] > last[k] ? i : k;
        const struct hd_trace_step *s = &t->step[last[k]];

        b->step[--at] = last[k];
        b->work += n;
        last[k] = s->nth > 1 && s->before > e ? s->before : last[--n];
    }
    for (uint32_t i = at; i < end; i++)
        b->step[i - at] = b->step[i];
    b->n = end - at;
}

static uint32_t end_of(const uint32_t *last, uint32_t n, uint32_t e)
{
    uint32_t end = e + 1;

    for (uint32_t i = 0; i < n; i++)
        end = last[i] >= end ? last[i] + 1 : end;
    return end;
}

void hd_beside_find(struct hd_beside *b, uint32_t e, uint32_t nsteps)
{
    uint32_t last[HD_MAX_THREADS], all;

    if (nsteps <= e + b->few) {
        scan(b, e, nsteps);
        return;
    }
    uint32_t n = latest_of_threads(b, e, nsteps, last, &all), to = end_of(last, n, e);

    if (to - e <= all * n)
        scan(b, e, to);
    else
        merge(b, e, last, n);
}

/* Examines the last steps first, because usually one of them qualifies. */
uint32_t hd_beside_end(struct hd_beside *b, uint32_t e, uint32_t nsteps)
{
    uint32_t last[HD_MAX_THREADS], all, end = nsteps;

    for (; end > e + 1 && nsteps - end < b->few; end--, b->work++)
        if (!hd_trace_before(b->trace, e, end - 1))
            return end;
    if (end <= e + 1)
        return e + 1;
    return end_of(last, latest_of_threads(b, e, nsteps, last, &all), e);
}
