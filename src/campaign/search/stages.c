/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stages.c - the limits of each stage of a search, and what follows its end. */
#include "campaign/search/stages.h"

#include <string.h>

#include "campaign/session/saved.h"
#include "campaign/session/session.h"
#include "report/verdict/claim.h"

/* Number of executions after which a stage ends. */
enum { SAMPLED_FIRST = 1000, PROVED_FIRST = 1000, SAMPLED_THEN = 25000 };
/* Limits if the user sets none: executions and milliseconds. */
enum {
    SAMPLED_AT_MOST = 100000,
    SAMPLED_PAST_RACES = 10000,
    ALL_MS = 60000,
    PROVE_FIRST_MS = 3000,
    PROVE_THEN_MS = 9000,
    PAST_RACES_MS = 10000,
};

enum { STAGES = 7 }; /* five stages, and two more after data races (T3, T4) */

enum end {
    OPEN,    /* nothing found, nothing proved */
    VAIN,    /* like OPEN, and another attempt to prove would be useless */
    RACES,   /* data races only */
    DECIDED, /* the result was shown */
};

/* What is known at the end of a stage. */
struct past {
    enum end end;
    bool proves;
    uint64_t sampled, proving;
    double seconds, searching;
    struct hd_totals totals;
    struct hd_result_stage done;
    double whole, whole_seconds;
    bool transactions;
};

struct stages {
    const struct hd_options *o;
    struct hd_outputs *outputs;
    const struct hd_one *one;
    struct hd_one_result *out;
    uint64_t sampled, proving; /* executions so far */
    double seconds, searching; /* time so far, of all stages and of the sampling ones */
    struct hd_totals totals;   /* totals of the sampling stages so far */
    struct hd_result_stage done[STAGES];
    size_t ndone;
    double whole, whole_seconds; /* estimates for the proof: executions and time; 0: unknown */
    bool transactions; /* the program has hardware transactions (T7) */

    struct hd_saved saved;
    struct past past[STAGES]; /* the stages that are over */
    unsigned npast;
    unsigned at;              /* the current stage */

    /* the current stage */
    bool proves;
    bool last;     /* the result of the stage is shown */
    bool reports;  /* the result of the stage is shown if it has findings */
    enum end end;
};

/* ---- limits -------------------------------------------------------------------------- */

static bool is_limited(const struct stages *p)
{
    return p->o->executions != 0 || p->o->budget_ms != 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns how many executions the user's limit leaves. */
static uint64_t executions_left(const struct stages *p)
{
    uint64_t used = p->sampled + p->proving;

    if (p->o->executions == 0)
        return UINT64_MAX;
    return used < p->o->executions ? p->o->executions - used : 0;
}

static uint64_t ms_left(const struct stages *p)
{
    uint64_t all = is_limited(p) ? p->o->budget_ms : ALL_MS, used = (uint64_t)(p->seconds * 1e3);

    if (all == 0)
        return UINT64_MAX;
    return used < all ? all - used : 0;
}

/* Converts a limit to an option: in options, 0 means "no limit". */
static uint64_t as_option(uint64_t limit)
{
    return limit == UINT64_MAX ? 0 : limit > 0 ? limit : 1;
}

/* ---- the end of a stage ---------------------------------------------------------------- */

static void add_done(struct stages *p, const struct hd_session *s, const struct hd_result *r)
{
    struct hd_result_stage *d = &p->done[p->ndone++];

    snprintf(d->strategy, sizeof d->strategy, "%s", s->wire->config.strategy);
    d->executions = r->totals.executions;
    d->seconds = r->seconds;
    d->proves = p->proves;
    d->complete = hd_result_complete(r);
    d->ended = r->totals.exhausted;
}

static enum end judge(const struct stages *p, const struct hd_findings *all, const struct hd_result *r)
{
    const struct hd_watched *w = &all->s->watched;

    if (w->end != HD_WATCH_DONE || w->interrupted || !hd_findings_only_races(all) ||
        (r->totals.executions + r->totals.assumed == 0 && !p->reports))
        return DECIDED;
    if (r->hangs > 0) /* the next stage would hang in the same way */
        return DECIDED;
    if (p->last || (p->reports && all->n > 0) || (!p->proves && w->out_of_time && all->n == 0 && !p->reports))
        return DECIDED;
    if (all->n > 0)
        return RACES;
    if (p->proves && hd_result_complete(r))
        return DECIDED;
    return hd_claim_is_denied(r) || r->totals.too_long > 0 || (p->proves && r->totals.exhausted)
               ? VAIN : OPEN;
}

/* Estimates the executions and the time of the whole proof from a stage that has done a part of it.  Takes the
 * larger of two estimates, because both tend to be too small. */
static void estimate(struct stages *p, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;
    double done = (double)(t->executions + t->redundant);

    p->whole = p->whole_seconds = 0;
    if (t->explored <= 0 || done <= 0)
        return;
    p->whole = done / t->explored > t->tree_size ? done / t->explored : t->tree_size;
    p->whole_seconds = r->seconds * p->whole / done;
}

static bool is_given_up(struct hd_findings *all, void *ctx)
{
    struct stages *p = ctx;
    struct hd_result r;

    hd_session_result(all->s, &r);
    hd_suppression_result(&all->suppression, &r);
    p->end = judge(p, all, &r);
    if (p->end == DECIDED)
        return false;
    p->transactions |= all->s->wire->ntx_sites > 0;
    add_done(p, all->s, &r);
    p->seconds += r.seconds;
    if (p->proves) {
        p->proving += r.totals.executions;
        estimate(p, &r);
    } else {
        p->sampled += r.totals.executions;
        p->searching += r.searching;
        if (p->totals.begun > 0)
            hd_totals_merge(&p->totals, &r.totals);
        else
            p->totals = r.totals;
    }
    return true;
}

/* Adds the work of earlier stages to the result of the last one. */
static void add_earlier(void *ctx, const struct hd_session *s, struct hd_result *r)
{
    struct stages *p = ctx;

    add_done(p, s, r);
    if (!p->proves && p->totals.begun > 0)
        hd_totals_merge(&r->totals, &p->totals);
    if (!p->proves && r->searching > 0)
        r->searching += p->searching;
    r->seconds += p->seconds;
    r->stages = p->done;
    r->nstages = p->ndone;
}

/* ---- the stages ------------------------------------------------------------------------ */

static void remember(struct stages *p)
{
    p->past[p->npast++] = (struct past){ p->end, p->proves, p->sampled, p->proving, p->seconds, p->searching, p->totals,
                                         p->done[p->ndone - 1], p->whole, p->whole_seconds, p->transactions };
    hd_saved_write(&p->saved, p->past, sizeof p->past);
}

/* Restores a stage that was over before the search was interrupted. */
static enum end recall(struct stages *p, const struct past *x)
{
    p->proves = x->proves;
    p->sampled = x->sampled;
    p->proving = x->proving;
    p->seconds = x->seconds;
    p->searching = x->searching;
    p->totals = x->totals;
    p->done[p->ndone++] = x->done;
    p->whole = x->whole;
    p->whole_seconds = x->whole_seconds;
    p->transactions = x->transactions;
    return p->end = x->end;
}

static enum end search(struct stages *p, const struct hd_options *with)
{
    const struct hd_stage stage = { .is_given_up = is_given_up, .complete = add_earlier, .ctx = p, .number = p->at };

    if (p->at < p->npast)
        return recall(p, &p->past[p->at++]);
    p->at++;
    p->end = DECIDED; /* unless is_given_up says otherwise */
    hd_search_stage(with, p->outputs, p->one, &stage, p->out);
    if (p->end != DECIDED)
        remember(p);
    return p->end;
}

/* Samples until that many executions were sampled.  If the user's limit is reached first, the search ends. */
static enum end sample(struct stages *p, uint64_t until)
{
    struct hd_options with = *p->o;
    uint64_t left = executions_left(p);

    if (!is_limited(p))
        left = SAMPLED_AT_MOST - p->sampled;
    p->proves = false;
    p->last = left <= until - p->sampled;
    with.first_index = p->sampled;
    with.past_races = true;
    with.executions = as_option(smaller(until - p->sampled, left));
    with.budget_ms = as_option(ms_left(p));
    return search(p, &with);
}

static struct hd_options options_of_proof(struct stages *p)
{
    struct hd_options with = *p->o;

    p->proves = true;
    snprintf(with.strategy, sizeof with.strategy, "dpor");
    with.params[0] = '\0';
    with.executions = with.budget_ms = 0;
    return with;
}

/* Proving gets at most a quarter of what the user's limits leave. */
static uint64_t executions_for_proof(const struct stages *p)
{
    return p->o->executions != 0 ? executions_left(p) / 4 : UINT64_MAX;
}

static uint64_t ms_for_proof(const struct stages *p, uint64_t ms)
{
    if (p->o->budget_ms != 0)
        return ms_left(p) / 4;
    return is_limited(p) ? UINT64_MAX : smaller(ms, ms_left(p) / 2);
}

static enum end prove(struct stages *p, uint64_t executions, uint64_t ms)
{
    struct hd_options with = options_of_proof(p);

    p->last = false;
    with.executions = as_option(smaller(executions, executions_for_proof(p)));
    with.budget_ms = as_option(ms_for_proof(p, ms));
    return search(p, &with);
}

/* T5: true if a second attempt to prove is expected to end in its time. */
static bool is_within_reach(const struct stages *p)
{
    return p->whole > 0 && p->whole <= (double)executions_for_proof(p) &&
           p->whole_seconds * 1e3 <= (double)ms_for_proof(p, PROVE_THEN_MS);
}

/* T3 and T7: samples again from the beginning and continues past data races. */
static void go_past_races(struct stages *p)
{
    bool proved = p->proves;
    uint64_t before = p->sampled;
    struct hd_options with = *p->o;

    p->sampled = 0;
    p->searching = 0;
    memset(&p->totals, 0, sizeof p->totals);
    with.past_races = true;
    with.executions = is_limited(p) ? as_option(executions_left(p))
                                    : before > SAMPLED_PAST_RACES ? before : SAMPLED_PAST_RACES;
    with.budget_ms = is_limited(p) ? as_option(ms_left(p)) : PAST_RACES_MS;
    p->proves = p->last = false;
    p->reports = true;
    if (p->transactions && !p->o->points_named)
        with.points = HD_POINTS_RACES; /* T7 */
    if (search(p, &with) == DECIDED)
        return;
    /* T4: time was too short, or only the proof meets the race.  Repeat the stage that found the race; it ends
     * there */
    p->last = true;
    if (proved) {
        with = options_of_proof(p);
    } else {
        with = *p->o;
        with.executions = before;
    }
    with.budget_ms = ALL_MS;
    search(p, &with);
}

static void run_stages(struct stages *p)
{
    enum end end = sample(p, SAMPLED_FIRST);
    bool vain = end == VAIN, again = false;

    if (end == OPEN)
        end = prove(p, PROVED_FIRST, PROVE_FIRST_MS);
    if (end == OPEN && is_within_reach(p)) {
        end = prove(p, UINT64_MAX, PROVE_THEN_MS);
        again = true;
    }
    if (end == OPEN || end == VAIN) {
        vain |= end == VAIN;
        end = sample(p, vain ? UINT64_MAX : SAMPLED_THEN);
    }
    vain |= end == VAIN;
    if (end == OPEN && !vain && !again)
        end = prove(p, UINT64_MAX, PROVE_THEN_MS);
    if (end == OPEN || end == VAIN)
        end = sample(p, UINT64_MAX);
    if (end == RACES)
        go_past_races(p);
}

/* T6: continues an interrupted search.  Returns HD_EXIT_CLEAN, or another exit code after a message. */
static int begin(struct stages *p)
{
    bool found;
    int code = hd_saved_open(&p->saved, p->o, p->one->argv, p->one->test, ".stages");

    if (code != HD_EXIT_CLEAN || !p->saved.on)
        return code;
    if (!p->o->resume) {
        hd_saved_remove(&p->saved);
        return HD_EXIT_CLEAN;
    }
    code = hd_saved_read(&p->saved, p->past, sizeof p->past, &found);
    if (code == HD_EXIT_CLEAN && !found && !hd_saved_has_part(&p->saved, 0) && !p->o->quiet)
        fprintf(stderr, "heddle: there is no interrupted search of this program in %s: it begins from the start\n",
                p->o->out_dir);
    while (code == HD_EXIT_CLEAN && found && p->npast < STAGES && p->past[p->npast].done.strategy[0] != '\0')
        p->npast++;
    return code;
}

void hd_stages_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                      struct hd_one_result *out)
{
    struct stages p = { .o = o, .outputs = outputs, .one = one, .out = out };

    memset(out, 0, sizeof *out);
    out->code = begin(&p);
    if (out->code == HD_EXIT_CLEAN)
        run_stages(&p);
    if (!out->interrupted && out->ran)
        hd_saved_remove(&p.saved);
    hd_saved_close(&p.saved);
}
