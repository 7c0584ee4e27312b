/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.c - collects the facts about a search from the session and the wires.
 *
 * There are two estimates of the size of the tree (search/core/estimate.h).  Neither has a known error, so both are
 * shown: the distance between them shows how reliable they are.  With several workers there is only one, the
 * weighted estimate. */
#include "campaign/search/gather.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "report/print/shell.h"
#include "report/verdict/missed_probability.h"

/* ---- facts that do not change -------------------------------------------------------- */

/* Sets the command as the user typed it, from /proc, because the options are already parsed.  Only
 * the base name of the tool is kept. */
static void command_of(struct hd_stats *out)
{
    char words[sizeof out->command];
    FILE *in = fopen("/proc/self/cmdline", "re");
    FILE *to = fmemopen(out->command, sizeof out->command, "w");
    size_t n = in != NULL ? fread(words, 1, sizeof words - 1, in) : 0;

    words[n] = '\0';
    for (size_t at = 0, i = 0; to != NULL && at < n; at += strlen(words + at) + 1, i++) {
        const char *base = i == 0 ? strrchr(words + at, '/') : NULL;

        fputs(i > 0 ? " " : "", to);
        hd_shell_word(to, base != NULL ? base + 1 : words + at);
        if (i == 1)
            snprintf(out->verb, sizeof out->verb, "%.15s", words + at);
    }
    if (in != NULL)
        fclose(in);
    if (to != NULL)
        fclose(to);
    out->command[sizeof out->command - 1] = '\0'; /* a long command fills the buffer without a terminator */
}

void hd_gather_command(struct hd_stats *out, const struct hd_options *o, const char *program, const char *test)
{
    struct timespec now;

    hd_stats_clear(out);
    clock_gettime(CLOCK_REALTIME, &now);
    out->version = HD_STATS_VERSION;
    out->running = true;
    out->started = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    hd_stats_identify(out);
    command_of(out);
    snprintf(out->program, sizeof out->program, "%s", program);
    snprintf(out->test, sizeof out->test, "%s", test != NULL ? test : "");
    out->seed = o->seed;
    if (o->executions != 0)
        out->limit_executions = (double)o->executions;
    if (o->budget_ms != 0)
        out->limit_seconds = (double)o->budget_ms / 1e3;
}

void hd_gather_begin(struct hd_stats *out, const struct hd_session *s)
{
    const struct hd_config *c = &s->wire->config;

    hd_gather_command(out, s->o, s->program, s->test);
    snprintf(out->strategy, sizeof out->strategy, "%s%s%s", c->strategy, c->params[0] != '\0' ? ":" : "",
             c->params);
    out->seed = c->seed;
    out->samples = hd_traits_samples(&c->traits);
    out->jobs = s->wires.n;
}

/* ---- the size of the tree ------------------------------------------------------------ */

/* True if it is too early for an estimate.  A search that begins with the smaller branches underestimates the tree
 * at first. */
static bool is_too_early(const struct hd_totals *t, double seconds)
{
    return t->begun < 16 || seconds < 1;
}

static const char *why_unknown(const struct hd_stats *s, const struct hd_totals *t, double seconds)
{
    if (s->samples || t->exhausted)
        return "";
    if (is_too_early(t, seconds))
        return "too early to tell";
    if (t->explored <= 0)
        return "this strategy does not tell";
    return isfinite(s->bound) ? "how many bounds follow" : "";
}

static void order(double *low, double *high)
{
    if (*low > *high) {
        double swap = *low;

        *low = *high;
        *high = swap;
    }
}

static void gather_tree(struct hd_stats *out, const struct hd_totals *t, double seconds)
{
    double begun = (double)(t->begun - t->discarded);

    out->bound = t->bound >= 0 && t->begun > 0 && !out->samples ? (double)t->bound : NAN;
    snprintf(out->estimate_unknown, sizeof out->estimate_unknown, "%s", why_unknown(out, t, seconds));
    out->explored = out->estimate_low = out->estimate_high = NAN;
    out->seconds_left_low = out->seconds_left_high = NAN;
    if (is_too_early(t, seconds) || t->exhausted || t->explored <= 0)
        return;
    out->explored = t->explored;
    if (out->estimate_unknown[0] != '\0' || begun <= 0)
        return;
    out->estimate_low = (double)t->executions / t->explored;
    out->estimate_high = t->tree_size > begun ? t->tree_size * (double)t->executions / begun
                                              : out->estimate_low;
    out->seconds_left_low = seconds / t->explored - seconds;
    out->seconds_left_high = t->tree_size > begun ? seconds * (t->tree_size / begun - 1)
                                                  : out->seconds_left_low;
    order(&out->estimate_low, &out->estimate_high);
    order(&out->seconds_left_low, &out->seconds_left_high);
}

/* Computes the time until a limit is reached, at the average rate so far. */
static void gather_limit(struct hd_stats *out, double seconds)
{
    double left = INFINITY;

    if (isfinite(out->limit_executions) && out->executions > 0)
        left = seconds * (out->limit_executions / (double)out->executions - 1);
    if (isfinite(out->limit_seconds))
        left = fmin(left, out->limit_seconds - seconds);
    out->limit_seconds_left = isinf(left) ? NAN : fmax(left, 0);
}

/* ---- workers, races and findings ----------------------------------------------------- */

static void gather_workers(struct hd_stats *out, const struct hd_session *s)
{
    out->workers_alive = out->workers_lost = 0;
    snprintf(out->isolation, sizeof out->isolation, "inproc");
    for (uint32_t i = 0; i < s->wires.n; i++) {
        const struct hd_wire *w = s->wires.wire[i];

        out->workers_alive += __atomic_load_n(&w->phase, __ATOMIC_ACQUIRE) == HD_PHASE_RUNNING;
        out->workers_lost += w->workers_lost;
        if (!w->forked)
            continue;
        snprintf(out->isolation, sizeof out->isolation, "fork");
        snprintf(out->fork_reason, sizeof out->fork_reason, "%.*s", (int)sizeof w->fork_reason - 1,
                 w->fork_reason);
    }
}

/* Counts races.  The table has a row for each pair of places and memory; a race is a pair of places, whatever the
 * memory. */
static void gather_races(struct hd_stats *out, const struct hd_common *c)
{
    uint64_t pairs[HD_RACE_ROWS];
    bool both[HD_RACE_ROWS];
    size_t n = 0;

    for (uint32_t i = 0; i < HD_RACE_ROWS; i++) {
        const struct hd_race_row *row = &c->race_rows[i];
        uint32_t seen = __atomic_load_n(&row->seen, __ATOMIC_RELAXED) & HD_RACE_BOTH;
        size_t k = 0;

        if (row->key == 0 || seen == 0)
            continue;
        while (k < n && pairs[k] != row->pair)
            k++;
        pairs[k] = row->pair;
        both[k] = seen == HD_RACE_BOTH || (k < n && both[k]);
        n += k == n;
    }
    out->races = n;
    out->races_confirmed = 0;
    for (size_t k = 0; k < n; k++)
        out->races_confirmed += both[k];
}

static void gather_findings(struct hd_stats *out, const struct hd_findings *f)
{
    memset(out->by_kind, 0, sizeof out->by_kind);
    for (size_t i = 0; i < f->n; i++)
        out->by_kind[f->list[i].kind]++;
    out->findings = f->n;
    out->warnings = f->warnings.nkept;
    out->suppressed = f->suppression.nsuppressed;
}

void hd_gather(struct hd_stats *out, const struct hd_findings *f, const struct hd_totals *t,
               double seconds)
{
    out->seconds = seconds;
    out->executions = t->executions;
    out->redundant = t->redundant;
    out->assumed = t->assumed;
    out->discarded = t->discarded;
    out->too_long = t->too_long;
    out->loop_cuts = t->loop_cuts;
    out->passes = t->restarts + 1;
    out->rate = seconds > 0 ? (double)t->begun / seconds : NAN;
    out->threads_max = t->threads_max;
    out->steps_max = t->steps_max;
    out->steps_mean = t->executions > 0 ? (double)t->steps_sum / (double)t->executions : NAN;
    struct hd_totals all = *t;

    hd_session_explored(f->s, &all);
    gather_tree(out, &all, seconds);
    gather_limit(out, seconds);
    gather_workers(out, f->s);
    gather_races(out, f->s->wires.common);
    gather_findings(out, f);
}

/* ---- the advice ---------------------------------------------------------------------- */

/* True if all executions are drawn from the same distribution.  A racing access that became a
 * scheduling point during the search changes the distribution. */
static bool are_alike(const struct hd_config *c, const struct hd_totals *t)
{
    return c->traits.draws == HD_DRAWS_ALIKE && t->sites == 0;
}

/* Writes an upper bound on the probability of failures that the search has missed.  Returns the length of the
 * text; 0 if no bound is known. */
static size_t tell_odds(const struct hd_session *session,
                        const struct hd_totals *t, char *buf, size_t cap)
{
    const struct hd_result r = { .config = &session->wire->config, .totals = *t };
    int n = 0;

    if (hd_missed_probability_apply(&r) && t->choices == 0 && t->executions > 0)
        n = snprintf(buf, cap, "a bug of depth %u is missed so far with probability at most %.2g; ",
                     hd_missed_probability_depth(&r), fmax(hd_missed_probability_missed(&r), 1e-12));
    else if (are_alike(&session->wire->config, t) && t->executions >= 10 && t->buggy == 0)
        /* (1 - p)^n = 0.05: p = 1 - 0.05^(1/n), which is below 3/n for every n */
        n = snprintf(buf, cap, "an execution fails with probability below %.2g, at 95%% "
                     "confidence; ", 3.0 / (double)t->executions);
    return n > 0 && (size_t)n < cap ? (size_t)n : 0;
}

/* Writes for how long the search has found nothing new. */
static void tell_news(const struct hd_stats *s, char *buf, size_t cap)
{
    bool ever = isfinite(s->last_new_execution);
    double when = ever ? s->last_new_execution : 0;
    double since = (double)s->executions > when ? (double)s->executions - when : 0;
    char number[32];

    hd_text_number((uint64_t)since, number, sizeof number);
    if (ever)
        snprintf(buf, cap, "nothing new for %s executions and %.0f s", number,
                 fmax(s->seconds - s->last_new_seconds, 0));
    else
        snprintf(buf, cap, "nothing found in %s executions", number);
}

void hd_gather_advice(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t)
{
    if (!out->samples) {
        snprintf(out->advice, sizeof out->advice, "it ends by itself when all is explored%s",
                 isfinite(out->limit_seconds) || isfinite(out->limit_executions)
                     ? ", or at the limit" : "; a bound or a smaller test ends sooner");
        return;
    }
    out->advice[0] = '\0';
    size_t n = tell_odds(s, t, out->advice, sizeof out->advice);

    tell_news(out, out->advice + n, sizeof out->advice - n);
}
