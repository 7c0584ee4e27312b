/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result.c - the guarantee.  The sentence follows from what the search has reached,
 * never from what the user requested: a tester that claims too much is worse than none. */
#include "report/verdict/result.h"

#include <string.h>

#include "base/check.h"
#include "model/point_class.h"
#include "report/evidence/describe.h"
#include "report/suppress/suppressed.h"
#include "report/verdict/claim.h"
#include "report/verdict/cut_loops.h"
#include "report/verdict/ledger_print.h"
#include "report/verdict/missed_probability.h"
#include "report/verdict/native.h"
#include "report/verdict/sentence.h"

const char *hd_verdict_text(enum hd_verdict v)
{
    static const char *const text[] = { "clean", "bug", "budget", "diverged", "error" };

    return text[v];
}

int hd_verdict_exit_code(enum hd_verdict v)
{
    static const int code[] = { HD_EXIT_CLEAN, HD_EXIT_FINDING, HD_EXIT_BUDGET, HD_EXIT_DIVERGED,
                                HD_EXIT_INTERNAL };

    return code[v];
}

/* An execution that was abandoned makes the result incomplete: its rest is unexplored. */
bool hd_result_complete(const struct hd_result *r)
{
    if (r->recheck != NULL)
        return r->verdict == HD_VERDICT_CLEAN; /* only this one schedule was requested */
    return r->config->traits.coverage > HD_COVERS_NOTHING && !hd_claim_is_denied(r) && !hd_claim_is_cut(r) &&
           r->totals.complete && r->totals.too_long == 0 && r->hangs == 0 &&
           !(r->totals.facts & HD_FACT_SITES) && hd_claim_gaps(r) == 0 && !hd_claim_is_vacuous(r);
}

double hd_result_rate(const struct hd_result *r)
{
    double span = r->searching > 0 ? r->searching : r->seconds;

    return span > 0 ? (double)r->totals.executions / span : 0;
}

/* ---- the guarantee --------------------------------------------------------------------- */

/* True if the strategy explores everything up to its bound. */
static bool is_bounded(const struct hd_result *r)
{
    return r->config->traits.bound != HD_BOUND_NONE && r->config->traits.coverage > HD_COVERS_NOTHING;
}

/* True if the strategy increases the bound step by step.  Then all bounds below the last one were
 * finished. */
static bool deepens(const struct hd_result *r)
{
    uint8_t when = r->config->traits.deepens;

    return is_bounded(r) && (when == HD_DEEPENS_ALWAYS || (when == HD_DEEPENS_UNBOUNDED && r->config->bound < 0));
}

static const char *unit(const struct hd_result *r)
{
    return r->config->traits.bound == HD_BOUND_DELAYS ? "delay" : "preemption";
}

static const char *where(const struct hd_result *r)
{
    if (hd_claim_is_reduced(r) && r->config->points == HD_POINTS_SYNC)
        return "of synchronisation operations and atomics (plain accesses between them run as one; "
               "none of them race)";
    switch (r->config->points) {
    case HD_POINTS_EVERY:
    case HD_POINTS_ALL:
        return "at synchronisation and every memory access";
    case HD_POINTS_RACES:
        return "at synchronisation points and racing accesses";
    default:
        return "at synchronisation points";
    }
}

/* Names weak atomics.  Every execution of a program without races, whose atomics are all
 * sequentially consistent, is an interleaving.  Weaker atomics allow more executions, which Heddle
 * does not explore. */
static void say_orders(struct hd_sentence *s, const struct hd_result *r)
{
    enum { NAMED = 4 };

    if (r->plain || r->nweak == 0)
        return;
    hd_say(s, "; %u atomic%s weaker than seq_cst, at ", r->nweak, r->nweak == 1 ? " is" : "s are");
    for (uint32_t i = 0; i < r->nweak && i < NAMED; i++)
        hd_say(s, "%s%s", i > 0 ? ", " : "", r->weak[i]);
    if (r->nweak > NAMED)
        hd_say(s, " and elsewhere");
    hd_say(s, ": what only a weaker memory order allows was not explored");
}

/* States the limit of lazy reduction: it preserves every final state and deadlock, but not every
 * order of critical sections. */
static void say_lazy(struct hd_sentence *s, const struct hd_result *r)
{
    if (!hd_claim_is_lazy(r))
        return;
    if (r->totals.fallback == HD_FALLBACK_NONE)
        hd_say(s, "; critical sections that commute were run in one order only, which proves nothing "
               "about data races; whether they do is judged by the accesses that the compiler announces");
    else
        hd_say(s, "; %s, so dpor was used",
            r->totals.fallback == HD_FALLBACK_BLOCKS
                ? "a thread may block while it holds a mutex"
                : "a mutex was still held at the end, or released by another thread");
}

/* Names the injected faults.  They belong to the claim, because without them nothing is known about
 * how the program handles errors. */
static void say_faults(struct hd_sentence *s, const struct hd_result *r)
{
    const char *before = "";
    uint32_t shared = 0;

    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (r->config->faults & (1u << i) && hd_fault_budget(&r->config->settings, i) == 0)
            shared |= 1u << i;
    if (shared != 0)
        hd_say(s, "; with at most %u injected fault%s of: ", r->config->fault_bound,
            r->config->fault_bound == 1 ? "" : "s");
    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (shared & (1u << i)) {
            hd_say(s, "%s%s", before, hd_fault_words[i]);
            before = ", ";
        }
    before = shared != 0 ? ", " : "; with at most ";
    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (r->config->faults & ~shared & (1u << i)) {
            hd_say(s, "%s%s: %u", before, hd_fault_words[i], hd_fault_budget(&r->config->settings, i));
            before = ", ";
        }
}

/* Names assumptions.  If one never holds, every claim about the code after it holds trivially. */
static void say_assumptions(struct hd_sentence *s, const struct hd_result *r)
{
    if (r->totals.assumed > 0 && !hd_claim_is_vacuous(r)) {
        hd_say(s, "; heddle_assume leaves out ");
        hd_say_executions(s, r->totals.assumed);
    }
    for (uint32_t i = 0; i < r->nunsatisfied; i++)
        hd_say(s, "; no execution passed heddle_assume at %s", r->unsatisfied[i]);
}

/* Names transactions that no execution has aborted: their fallback code was never run. */
static void say_never_aborted(struct hd_sentence *s, const struct hd_result *r)
{
    for (uint32_t i = 0; i < r->nnever_aborted; i++)
        hd_say(s, "; no execution aborted the transaction at %s, so what it falls back to never ran", r->never_aborted[i]);
}

/* Names the loops that were cut.  claims: the sentence begins with a claim that has already named
 * them and their rounds. */
static void say_cut_loops(struct hd_sentence *s, const struct hd_result *r, bool claims)
{
    char number[32], loops[HD_CUT_LOOPS_TEXT];

    if (r->totals.loop_cuts == 0)
        return;
    hd_text_number(r->totals.loop_cuts, number, sizeof number);
    if (!hd_cut_loops_text(r, loops, sizeof loops))
        hd_say(s, "; periodic timers were cut short");
    else if (claims)
        hd_say(s, "; threads were stopped there");
    else
        hd_say(s, "; threads were stopped after %s", loops);
    hd_say(s, " (%s time%s)%s", number, r->totals.loop_cuts == 1 ? "" : "s",
        loops[0] != '\0' && r->config->loop_bound < HD_MAX_LOOP_BOUND
            ? "; a larger --loop-bound explores more" : "");
}

static const char *suppressed_word(const struct hd_result *r)
{
    return r->nmuted == 0 ? "suppressed" : r->nmuted == r->nsuppressed ? "muted" : "suppressed or muted";
}

/* Mentions suppressed findings: they exist although they are not reported.  A reduced search that
 * has finished has already named a suppressed race among its gaps. */
static void say_suppressed(struct hd_sentence *s, const struct hd_result *r)
{
    if (r->nsuppressed == 0)
        return;
    hd_say(s, "; %u finding%s %s", r->nsuppressed, r->nsuppressed == 1 ? " was" : "s were", suppressed_word(r));
    if (r->suppressed_end)
        hd_say(s, ", and what %s would have done after %s was not seen",
            r->nsuppressed == 1 ? "its thread" : "their threads", r->nsuppressed == 1 ? "it" : "them");
    if (hd_claim_misses_race(r) && !(hd_claim_is_reduced(r) && r->totals.exhausted))
        hd_say(s, ", a data race%s: it has behaviours between these points, which only --points "
               "races explores", r->nsuppressed > 1 ? " among them" : "");
}

static void say_no_points(struct hd_sentence *s, const struct hd_result *r)
{
    uint32_t left = r->config->no_points;

    if (left == 0)
        return;
    hd_say(s, "; threads were switched only at other operations than ");
    for (unsigned i = 0; i < HD_POINT_CLASSES; i++)
        if (left >> i & 1) {
            left &= ~(1u << i);
            hd_say(s, "%s%s", hd_point_class_words[i], left != 0 ? ", " : "");
        }
    hd_say(s, " (--no-points), or where a thread had to wait");
}

/* States everything that restricts the claim.  claims: the sentence contains a claim. */
static void say_limits(struct hd_sentence *s, const struct hd_result *r, bool claims)
{
    char number[32];

    say_suppressed(s, r);
    say_faults(s, r);
    say_assumptions(s, r);
    say_never_aborted(s, r);
    say_cut_loops(s, r, claims);
    if (r->totals.grace_cuts > 0) {
        hd_text_number(r->totals.grace_cuts, number, sizeof number);
        hd_say(s, "; threads still running %u operations after exit were cut (%s time%s)",
            r->config->exit_grace, number, r->totals.grace_cuts == 1 ? "" : "s");
    }
    say_lazy(s, r);
    if (r->totals.estimated > 0 && !(r->config->bound < 0 && hd_result_complete(r))) {
        hd_text_number(r->totals.estimated, number, sizeof number);
        hd_say(s, "; in %s executions the least number of preemptions was estimated from below, so "
               "some may need more than the bound", number);
    }
    if (r->config->filters.n > 0)
        hd_say(s, "; operations and accesses that --within and --without leave out were no points, unless a thread had "
               "to wait there");
    say_no_points(s, r);
    if (r->totals.facts & HD_FACT_RANGE && !hd_claim_is_reduced(r))
        hd_say(s, "; copies of many bytes were taken as one access each");
    if (r->config->timeouts_idle && !(hd_claim_ended_with_gaps(r) && hd_claim_is_reduced(r)))
        hd_say(s, "; time-outs only when nothing else could run");
    uint32_t others = hd_ledger_effects(r->ledger, HD_QUALIFIES);

    if (others > 0)
        hd_say(s, "; %u thing%s not controlled", others, others == 1 ? " was" : "s were");
    say_orders(s, r);
}

/* States what the last pass with racing accesses as scheduling points covers beyond these points. */
static void say_covered(struct hd_sentence *s, const struct hd_result *r)
{
    if (r->config->points == HD_POINTS_RACES && r->config->bound < 0 && !r->plain &&
        r->config->filters.n == 0 && r->config->no_points == 0 && r->totals.loop_cuts == 0)
        hd_say(s, "; no other access races, so this covers every interleaving of plain accesses");
}

static void say_none_fails(struct hd_sentence *s, const struct hd_result *r)
{
    if (r->linear != NULL)
        hd_say(s, ", each has the results and the state of a sequential order of the operations%s",
            r->linear->criterion == HD_LIN_SEQUENTIAL  ? ", which need not respect real time"
            : r->linear->criterion == HD_LIN_QUIESCENT ? ", which need respect quiescent moments only"
                                                       : "");
    else
        hd_say(s, ", none fails%s", r->nsuppressed > 0 ? " otherwise" : "");
}

/* States the verified space.  bound < 0: no bound.  The rounds of a cut loop are also a bound,
 * although the user has not requested one. */
static void say_verified(struct hd_sentence *s, const struct hd_result *r, int64_t bound, const char *verb)
{
    char loops[HD_CUT_LOOPS_TEXT];
    bool cut = hd_cut_loops_text(r, loops, sizeof loops);

    if (bound < 0 && !cut) {
        hd_say(s, "all interleavings %s, under sequential consistency", where(r));
        return;
    }
    if (bound == 0 && !cut)
        hd_say(s, "verified without %ss", unit(r));
    else
        hd_say(s, "%s ", verb);
    if (bound > 0 || (bound == 0 && cut))
        hd_say(s, "%lld %s%s%s", (long long)bound, unit(r), bound == 1 ? "" : "s", cut ? " and " : "");
    hd_say(s, "%s: all interleavings %s %s, under sequential consistency", loops, where(r), bound == 0 && !cut ? "that need none" : "with at most that many");
}

static void say_explored(struct hd_sentence *s, const struct hd_result *r, const char *verb)
{
    say_verified(s, r, is_bounded(r) ? r->config->bound : -1, verb);
    hd_say(s, ": ");
    hd_say_executions(s, r->totals.executions);
    say_none_fails(s, r);
}

/* States whether the result holds for C11.  The number of injected faults bounds this, too. */
static void say_c11(struct hd_sentence *s, const struct hd_result *r)
{
    uint32_t untried = hd_claim_untried(r);
    const char *words, *before = "; C11 allows more, which was not explored: ";

    if (untried == 0)
        hd_say(s, "; all atomics are seq_cst and nothing races, so it holds for C11%s",
            r->config->faults & (HD_FAULT_WAKEUP | HD_FAULT_TRYLOCK | HD_FAULT_CAS) ? " with so many faults" : "");
    for (; (words = hd_claim_next_untried(&untried)) != NULL; before = ", ")
        hd_say(s, "%s%s", before, words);
}

static void say_complete(struct hd_sentence *s, const struct hd_result *r)
{
    say_explored(s, r, "verified up to");
    say_covered(s, r);
    say_limits(s, r, true);
    if (hd_claim_is_about_c11(r))
        say_c11(s, r);
}

/* States the probability of a missed bug.  If a sampler could decide nothing, all executions are
 * the same, except for effects that Heddle does not control. */
static void say_odds(struct hd_sentence *s, const struct hd_result *r)
{
    if (hd_traits_samples(&r->config->traits) && hd_totals_undecided(&r->totals)) {
        hd_say(s, "; one thread and no choice: every execution is the same%s, so no more were run",
            hd_ledger_count(r->ledger) > 0 ? " as far as Heddle controls it" : "");
        return;
    }
    if (!hd_missed_probability_apply(r))
        return;
    if (r->totals.choices > 0) {
        hd_say(s, "; how likely a bug is missed is not known, because executions also depend on choices "
               "(heddle_choose, --faults, transactions)");
        return;
    }
    double missed = hd_missed_probability_missed(r);

    hd_say(s, "; each bug of depth %u is missed with probability ", hd_missed_probability_depth(r));
    if (missed < 1e-12)
        hd_say(s, "below 1e-12");
    else
        hd_say(s, "at most %.2g", missed);
}

static void say_random_executions(struct hd_sentence *s, const struct hd_result *r)
{
    const char *how = r->config->traits.draws == HD_DRAWS_DIRECTED ? "" : "random";
    char number[32];

    hd_text_number(r->totals.executions, number, sizeof number);
    hd_say(s, "%s%s%s execution%s", number, *how != '\0' ? " " : "", how, r->totals.executions == 1 ? "" : "s");
    if (strcmp(how, r->config->strategy) != 0) /* do not print the same word twice */
        hd_say(s, " (%s)", r->config->strategy);
}

/* States why a finished search claims nothing, and which strategy could. */
static void say_gaps(struct hd_sentence *s, const struct hd_result *r)
{
    uint64_t gaps = hd_claim_gaps(r);
    bool by_reduction = (gaps & HD_FACT_GRACE) == 0; /* GRACE is a gap of every search, not only of reductions */
    const char *before = by_reduction ? "; a reduced search cannot claim to have seen everything: "
                                      : "; it cannot claim to have seen everything: ";

    if (gaps == 0)
        return;
    for (; gaps != 0; before = ", and ")
        hd_say(s, "%s%s", before, hd_claim_next_reason(&gaps));
    if (by_reduction && !hd_claim_misses_race(r))
        hd_say(s, r->config->retry_sets ? "; leave the option out" : "; --strategy dfs can claim it");
}

static bool verified_less(const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;

    return !hd_claim_is_denied(r) && deepens(r) && t->bound > 0 && t->too_long == 0 && r->hangs == 0 && t->unmodelled == 0 &&
           hd_claim_gaps(r) == 0 && !hd_claim_is_vacuous(r);
}

int64_t hd_result_verified_bound(const struct hd_result *r)
{
    return verified_less(r) ? r->totals.bound - 1 : -1;
}

static void say_nothing_proved(struct hd_sentence *s, const struct hd_result *r)
{
    bool ended = hd_claim_ended_with_gaps(r);
    const char *bounded = hd_claim_no_proof(r);
    char unseen[HD_LEDGER_SENTENCE];

    hd_ledger_sentence(r->ledger, unseen, sizeof unseen);
    hd_say(s, "nothing proved: %s%s", unseen, unseen[0] != '\0' ? "; " : "");
    if (hd_claim_is_vacuous(r)) {
        hd_say(s, "heddle_assume left out %s", r->totals.assumed > 1 ? "all " : "");
        hd_say_executions(s, r->totals.assumed);
        hd_say(s, "%s", hd_traits_samples(&r->config->traits) || r->totals.exhausted ? "" : ", and the search was not finished");
        return;
    }
    if (hd_traits_samples(&r->config->traits))
        say_random_executions(s, r);
    else
        hd_say_executions(s, r->totals.executions);
    hd_say(s, " found nothing%s%s", r->nfindings + r->nsuppressed > 0 ? " else" : "",
        hd_traits_samples(&r->config->traits) || ended || hd_claim_is_only_denied(r) ? ""
        : bounded != NULL           ? bounded
                                    : ", and the search was not finished");
    if (ended)
        say_gaps(s, r);
    if (hd_claim_idiom_tries(r) > 0)
        hd_say(s, ": every idiom that was predicted was seen, or forced in vain %d times; that is no proof",
            hd_claim_idiom_tries(r));
    say_odds(s, r);
}

/* States how many executions were abandoned, and which steps a smaller test should reduce.  Executions that only
 * repeat themselves are abandoned before the limit of steps. */
static void say_too_long(struct hd_sentence *s, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;

    hd_say(s, "; %llu ran too long and %s given up ", (unsigned long long)t->too_long,
        t->too_long == 1 ? "was" : "were");
    if (r->hangs > 0 && r->hangs >= t->too_long) {
        hd_say(s, "after ten seconds without a step: make it smaller at the place that the warning names");
        return;
    }
    if (t->too_long_steps >= t->too_long * r->config->max_steps)
        hd_say(s, "(limit %u steps)", r->config->max_steps);
    else
        hd_say(s, "(after %llu steps on average)", (unsigned long long)(t->too_long_steps / t->too_long));
    if (r->longest.steps > 0 && r->longest.place[0] != '\0')
        hd_say(s, ": shrink the loop at %s, raise --max-steps, or state with --livelock N how many steps are enough",
            r->longest.place);
}

static void say_incomplete(struct hd_sentence *s, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;
    char loops[HD_CUT_LOOPS_TEXT];
    bool cut = hd_claim_is_only_cut(r) && hd_cut_loops_text(r, loops, sizeof loops);
    bool claims = cut || verified_less(r);

    if (cut) {
        say_explored(s, r, "nothing proved beyond");
    } else if (claims) {
        say_verified(s, r, t->bound - 1, "verified up to");
        hd_say(s, "; the search with %lld was not finished: ", (long long)t->bound);
        hd_say_executions(s, t->executions);
        say_none_fails(s, r);
    } else {
        say_nothing_proved(s, r);
    }
    if (t->too_long > 0)
        say_too_long(s, r);
    if (r->hangs > t->too_long)
        hd_say(s, "; %u hung in code that Heddle does not control", r->hangs);
    say_limits(s, r, claims);
}

/* True if all findings are data races, and races do not end the search.  If racing accesses are
 * scheduling points, an execution with a race does not fail for that reason. */
static bool only_races(const struct hd_result *r)
{
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].kind != HD_FK_DATA_RACE)
            return false;
    return !hd_config_stops_at(r->config, HD_FK_DATA_RACE);
}

/* True if a suppressed finding failed an execution with one of the races. */
static bool has_harmful_race(const struct hd_result *r)
{
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].race_outcome == HD_RACE_HARMFUL)
            return true;
    return false;
}

static void say_races(struct hd_sentence *s, const struct hd_result *r)
{
    hd_say(s, "%zu data race%s; ", r->nfindings, r->nfindings == 1 ? "" : "s");
    if (has_harmful_race(r)) {
        hd_say(s, "executions in which %s fail with a finding that is %s; ", r->nfindings == 1 ? "it occurs" : "they occur",
            suppressed_word(r));
        if (hd_result_complete(r))
            say_complete(s, r);
        else
            say_incomplete(s, r);
    } else if (hd_result_complete(r)) {
        hd_say(s, "no harm %s of %s%s: ", r->config->filters.n > 0 ? "came" : "comes",
            r->nfindings == 1 ? "it" : "them",
            r->config->filters.n > 0 ? " where accesses are points" : "");
        say_complete(s, r);
    } else {
        hd_say(s, "whether %s do%s harm is not known; ", r->nfindings == 1 ? "it" : "they", r->nfindings == 1 ? "es" : "");
        say_incomplete(s, r);
    }
}

static void say_failure(struct hd_sentence *s, const struct hd_result *r)
{
    char buggy[32], loops[HD_CUT_LOOPS_TEXT];

    if (r->config->replay) {
        hd_say(s, "the recorded schedule fails again");
        return;
    }
    if (only_races(r)) {
        say_races(s, r);
        return;
    }
    hd_text_number(r->totals.buggy, buggy, sizeof buggy);
    if (r->totals.buggy == 0 && r->discarded + r->totals.discarded > 0) {
        hd_say(s, "a discarded execution fails");
    } else {
        hd_say(s, "%s of ", buggy);
        hd_say_executions(s, r->totals.executions);
        hd_say(s, " fail%s", r->totals.buggy == 1 ? "s" : "");
    }
    if (!r->config->keep_going)
        hd_say(s, "; the search stopped there, nothing is known of the rest");
    else if (hd_result_complete(r))
        hd_say(s, "; what was asked for was explored completely");
    else if (hd_claim_is_only_cut(r) && hd_cut_loops_text(r, loops, sizeof loops))
        hd_say(s, "; nothing is known beyond %s", loops);
    else if (!r->totals.exhausted || hd_claim_gaps(r) == 0)
        hd_say(s, "; the search was not finished");
    else
        say_gaps(s, r);
    say_suppressed(s, r);
}

void hd_result_guarantee(const struct hd_result *r, char *buf, size_t cap)
{
    struct hd_sentence s = { buf, cap, 0 };

    buf[0] = '\0';
    if (r->recheck != NULL) {
        hd_say(&s, "of one recorded schedule only: %s", r->recheck->sentence);
        return;
    }
    if (hd_native_guarantee(r, buf, cap))
        return;
    switch (r->verdict) {
    case HD_VERDICT_ERROR:
        hd_say(&s, "nothing proved: %s", r->error != NULL ? r->error : "the search ended early");
        break;
    case HD_VERDICT_DIVERGED:
        hd_say(&s, "nothing proved: the program did not repeat itself");
        break;
    case HD_VERDICT_BUG:
        say_failure(&s, r);
        break;
    default:
        if (hd_result_complete(r))
            say_complete(&s, r);
        else
            say_incomplete(&s, r);
    }
}
