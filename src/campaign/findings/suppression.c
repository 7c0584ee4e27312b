/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.c - decides which findings are suppressed.  It matches the record of the first
 * occurrence of a finding.  For a race that record has only the place of the first access, without
 * its stack.  So if no suppression matches a race, the schedule is run again (witness.h) to get the
 * stack. */
#include "campaign/findings/suppression.h"

#include <stdlib.h>

#include "base/vec.h"
#include "campaign/rerun/witness.h"
#include "report/evidence/message.h"
#include "report/evidence/race.h"
#include "report/suppress/suppress_print.h"

static struct hd_suppression *look_up(const struct hd_suppression_state *j, const struct hd_report *r)
{
    struct hd_supp_names *names = hd_supp_names(r);
    struct hd_suppression *by = hd_suppressions_find(&j->suppressions, &names->subject);

    hd_supp_names_free(names);
    return by;
}

/* Matches again, with the stacks of a replay.  Call only if nothing matches without them: additional frames can
 * only add matches. */
static struct hd_suppression *look_again(struct hd_suppression_state *j, struct hd_report *r)
{
    struct hd_suppression *by;
    struct hd_schedule schedule;

    hd_session_schedule(j->s, r, &schedule);
    r->witness = hd_witness_find(j->s, r, &schedule);
    hd_schedule_free(&schedule);
    by = r->witness != NULL ? look_up(j, r) : NULL;
    hd_witness_free(r->witness);
    r->witness = NULL;
    return by;
}

static enum hd_judgement judge(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    struct hd_suppression_state *j = ctx;
    struct hd_suppression *by = NULL;
    struct hd_report r;

    if (!hd_suppressions_concern(&j->suppressions, (enum hd_finding_kind)f->kind))
        return HD_COUNTS;
    hd_report_open(&r, wire, f, hd_session_symbols_from(j->s, wire));
    by = look_up(j, &r);
    if (by == NULL && r.race != NULL)
        by = look_again(j, &r);
    if (by == NULL)
        return HD_COUNTS;
    *HD_PUSH(j->covered, j->ncovered) = (struct hd_covered){ .finding = f, .by = by };
    return HD_SUPPRESSED;
}

static enum hd_judging judging(const struct hd_suppressions *all)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->all[i].nvariables > 0)
            return HD_JUDGED_BY_VARIABLE;
    return HD_JUDGED;
}

bool hd_suppression_open(struct hd_suppression_state *j, struct hd_session *s)
{
    char error[600];

    *j = (struct hd_suppression_state){ .s = s };
    if (s->o->nsuppressions == 0 && s->o->mute == 0)
        return true;
    for (uint32_t i = 0; i < s->o->nsuppressions; i++)
        if (!hd_suppressions_read(&j->suppressions, s->o->suppressions[i], error, sizeof error)) {
            fprintf(stderr, "heddle: %s\n", error);
            return false;
        }
    for (unsigned k = 0; k < HD_FK_COUNT; k++)
        if (s->o->mute >> k & 1)
            hd_suppressions_mute(&j->suppressions, (enum hd_finding_kind)k);
    for (uint32_t i = 0; i < s->wires.n; i++)
        s->wires.wire[i]->config.judged = (uint8_t)judging(&j->suppressions);
    s->merge.judge = judge;
    s->merge.ctx = j;
    return true;
}

/* True if the thread does not continue after such a finding.  Its later operations are then
 * unexplored. */
static bool ends_thread(enum hd_finding_kind kind)
{
    return kind == HD_FK_ASSERTION || kind == HD_FK_ABORT || kind == HD_FK_CRASH ||
           kind == HD_FK_CHECK_FAILED;
}

static bool is_counted(const struct hd_suppression_state *j, uint64_t race_key)
{
    for (size_t i = 0; i < j->ncovered && race_key != 0; i++)
        if (j->covered[i].race_key == race_key)
            return true;
    return false;
}

static void list_muted(struct hd_suppression_state *j, const struct hd_report *r)
{
    struct hd_result_muted *m = HD_PUSH(j->muted, j->nmuted);

    *m = (struct hd_result_muted){ .kind = (enum hd_finding_kind)r->finding->kind, .execution = r->execution };
    hd_report_message(r, m->message, sizeof m->message);
}

void hd_suppression_count(struct hd_suppression_state *j, const struct hd_report *r, uint64_t race_key)
{
    struct hd_covered *c = j->covered;

    if (is_counted(j, race_key))
        return;
    while (c->finding != r->finding)
        c++;
    c->race_key = race_key;
    c->by->findings++;
    j->nsuppressed++;
    if (c->by->file == NULL)
        list_muted(j, r);
    j->races |= r->race != NULL;
    j->ended |= ends_thread((enum hd_finding_kind)r->finding->kind);
}

void hd_suppression_result(const struct hd_suppression_state *j, struct hd_result *r)
{
    r->suppressions = j->suppressions.n > 0 ? &j->suppressions : NULL;
    r->muted = j->muted;
    r->nmuted = j->nmuted;
    r->mutes = j->s->o->mute;
    r->nsuppressed = j->nsuppressed;
    r->suppressed_race = j->races;
    r->suppressed_end = j->ended;
}

void hd_suppression_close(struct hd_suppression_state *j)
{
    hd_suppressions_free(&j->suppressions);
    free(j->covered);
    free(j->muted);
}
