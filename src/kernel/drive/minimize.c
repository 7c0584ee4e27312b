/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.c - removes interrupts from the schedule, first half of them, then a quarter, ..., then single ones, as
 * long as the execution still has the same finding.  An interrupt is identified by its place and occurrence, so the
 * remaining ones mostly keep their meaning. */
#include "kernel/drive/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TRIES 400 /* maximum number of executions */

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
        if (l->ticks[i].used) /* unused interrupts were at points that no longer occur */
            m->best[m->n++] = l->ticks[i];
}

/* Returns true if an interrupt was removed. */
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
