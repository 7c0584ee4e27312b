/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.c - records additional stacks in a replay beside the search.  If the replay fails, the
 * report lacks these stacks but is complete otherwise. */
#include "campaign/witness.h"

#include <string.h>
#include <sys/mman.h>

#include "campaign/child_session.h"
#include "report/evidence/place.h"

enum { BUDGET_MS = 20000 };

static void look(struct hd_session *replay, void *ctx)
{
    struct hd_witness *w = ctx;

    w->wants_trails = 1;
    replay->wire->witness = *w;
    replay->own_time = true;
    if (hd_session_run(replay, BUDGET_MS) == HD_EXIT_CLEAN)
        *w = replay->wire->witness;
}

/* Allocates a witness in memory that the replaying child shares.  Returns NULL on failure. */
static struct hd_witness *new_witness(void)
{
    return hd_child_session_memory(sizeof(struct hd_witness));
}

static const struct hd_witness *if_seen(struct hd_witness *w, bool seen)
{
    if (!seen)
        hd_witness_free(w);
    return seen ? w : NULL;
}

const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule)
{
    struct hd_witness *w = new_witness();

    if (w == NULL)
        return NULL;
    w->race = r->race->race;
    w->nwanted = hd_report_lost_events(r, w->wanted, 0, HD_WITNESS_EVENTS);
    hd_child_session(s, schedule, look, w);
    return if_seen(w, w->seen);
}

const struct hd_witness *hd_witness_stacks(const struct hd_session *s,
                                           const struct hd_schedule *schedule,
                                           const uint32_t *events, unsigned n)
{
    struct hd_witness *w = new_witness();
    bool seen = false;

    if (w == NULL)
        return NULL;
    w->nwanted = n;
    if (n > 0)
        memcpy(w->wanted, events, n * sizeof *events);
    hd_child_session(s, schedule, look, w);
    seen = w->ntrails > 0;
    for (unsigned i = 0; i < n; i++)
        seen |= w->event[i].pc != 0;
    return if_seen(w, seen);
}

const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n)
{
    struct hd_schedule schedule;

    hd_session_schedule(s, r, &schedule);
    const struct hd_witness *w = hd_witness_stacks(s, &schedule, events, n);

    hd_schedule_free(&schedule);
    return w;
}

void hd_witness_free(const struct hd_witness *w)
{
    if (w != NULL)
        munmap((void *)(uintptr_t)w, sizeof *w);
}
