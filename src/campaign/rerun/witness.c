/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.c - records additional stacks in a replay beside the search.  If the replay fails, the
 * report lacks these stacks but is complete otherwise. */
#include "campaign/rerun/witness.h"

#include <string.h>
#include <sys/mman.h>

#include "campaign/rerun/child_session.h"
#include "campaign/rerun/confirm.h"
#include "report/evidence/place.h"

enum { BUDGET_MS = 20000 };

/* This function and the next one copy only the fields that are used: a witness is large, and writing to
 * all of it would allocate all of its pages. */
static void tell_wishes(struct hd_witness *to, const struct hd_witness *from)
{
    to->wants_trails = 1;
    to->race = from->race;
    to->nwanted = from->nwanted;
    memcpy(to->wanted, from->wanted, sizeof to->wanted);
}

static void take_result(struct hd_witness *to, const struct hd_witness *from)
{
    to->ntrails = from->ntrails < HD_TRAILS ? from->ntrails : HD_TRAILS;
    memcpy(to->trail, from->trail, to->ntrails * sizeof *to->trail);
    to->naccesses = from->naccesses;
    memcpy(to->access, from->access,
           (from->naccesses < HD_LOGGED_ACCESSES ? from->naccesses : HD_LOGGED_ACCESSES) * sizeof *to->access);
    to->nnamed = from->nnamed < HD_NAMED_BLOCKS ? from->nnamed : HD_NAMED_BLOCKS;
    memcpy(to->named, from->named, to->nnamed * sizeof *to->named);
    memcpy(to->event, from->event, to->nwanted * sizeof *to->event);
    if (from->seen) /* otherwise nothing after this field is valid */
        memcpy(&to->seen, &from->seen, sizeof *to - offsetof(struct hd_witness, seen));
}

/* What the replaying child shares with its parent. */
struct shared {
    struct hd_witness witness; /* the first field: callers get a pointer to it */
    bool confirms;             /* the caller also wants to know whether the finding occurs; then the following
                                * fields are valid */
    uint64_t occurrence;
    enum hd_finding_kind kind;
    enum hd_confirm again;
};

static void look(struct hd_session *replay, void *ctx)
{
    struct shared *m = ctx;

    tell_wishes(&replay->wire->witness, &m->witness);
    replay->own_time = true;
    if (hd_session_run(replay, BUDGET_MS) != HD_EXIT_CLEAN)
        return;
    take_result(&m->witness, &replay->wire->witness);
    if (m->confirms)
        m->again = hd_confirm_judge(replay, m->occurrence, m->kind);
}

/* Allocates a witness in memory that the replaying child shares.  Returns NULL on failure. */
static struct hd_witness *new_witness(void)
{
    return hd_child_session_memory(sizeof(struct shared));
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
                                           const uint32_t *events, unsigned n,
                                           struct hd_result_finding *f)
{
    struct hd_witness *w = new_witness();
    struct shared *m = (struct shared *)(void *)w;
    bool seen = false;

    if (w == NULL)
        return NULL;
    if (f != NULL) {
        m->confirms = true;
        m->occurrence = f->record->occurrence;
        m->kind = f->kind;
    }
    w->nwanted = n;
    if (n > 0)
        memcpy(w->wanted, events, n * sizeof *events);
    hd_child_session(s, schedule, look, w);
    if (m->again == HD_CONFIRMED_YES)
        f->again = HD_CONFIRMED_YES;
    seen = w->ntrails > 0 || w->naccesses > 0;
    for (unsigned i = 0; i < n; i++)
        seen |= w->event[i].pc != 0;
    return if_seen(w, seen);
}

const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n)
{
    struct hd_schedule schedule;

    hd_session_schedule(s, r, &schedule);
    const struct hd_witness *w = hd_witness_stacks(s, &schedule, events, n, NULL);

    hd_schedule_free(&schedule);
    return w;
}

void hd_witness_free(const struct hd_witness *w)
{
    if (w != NULL)
        munmap((void *)(uintptr_t)w, sizeof(struct shared));
}
