/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.c - leaves out half of the interrupts, a quarter, ..., single ones, as long as the execution
 * still ends in the same finding.  An interrupt is found by its place and occurrence, so the others
 * mostly keep their meaning. */
#include "kernel/drive/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TRIES 400 /* executions at most */

struct smaller {
    struct hd_ksession *session;
    uint64_t signature;
    struct hd_k_tick *best;
    uint32_t n, tries;
};

/* Runs the schedule without [from, from + count). */
static bool fails_without(struct smaller *m, uint32_t from, uint32_t count)
{
    struct hd_klink *l = m->session->machine.link;
    uint32_t rest = m->n - from - count;

    memcpy(l->ticks, m->best, from * sizeof *m->best);
    memcpy(l->ticks + from, m->best + from + count, rest * sizeof *m->best);
    l->nticks = m->n - count;
    m->tries++;
    return hd_ksession_run(m->session) && hd_ksession_signature(m->session) == m->signature;
}

static void keep_smaller(struct smaller *m)
{
    const struct hd_klink *l = m->session->machine.link;

    m->n = 0;
    for (uint32_t i = 0; i < l->nticks; i++)
        if (l->ticks[i].used) /* others were at points that do not occur any more */
            m->best[m->n++] = l->ticks[i];
}

/* Returns whether something was left out. */
static bool leave_out(struct smaller *m, uint32_t size)
{
    uint32_t n = m->n;

    for (uint32_t from = 0; from < m->n && m->tries < TRIES;) {
        uint32_t count = size < m->n - from ? size : m->n - from;

        if (fails_without(m, from, count))
            keep_smaller(m);
        else
            from += count;
    }
    return m->n < n;
}

bool hd_kminimize(struct hd_ksession *s, uint64_t signature)
{
    struct hd_klink *l = s->machine.link;
    struct smaller m = { s, signature, hd_zeroed(l->nticks + 1, sizeof *m.best), l->nticks, 0 };

    memcpy(m.best, l->ticks, m.n * sizeof *m.best);
    for (uint32_t size = m.n; size > 1; size /= 2)
        leave_out(&m, size);
    while (leave_out(&m, 1))
        continue;
    memcpy(l->ticks, m.best, m.n * sizeof *m.best);
    l->nticks = m.n;
    free(m.best);
    return m.tries < TRIES;
}
