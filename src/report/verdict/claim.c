/* SPDX-License-Identifier: BSD-2-Clause
 *
 * claim.c - how each fact and each effect of a ledger entry restricts the claim, and the text for
 * it.  A fact or an effect without a row here does not compile. */
#include "report/verdict/claim.h"

#include <stddef.h>

#include "base/check.h"

/* Each fact and why it removes the claim.  GRACE applies to every search, the others only to
 * reduced ones. */
#define REASONS(X) \
    X(PLAIN_POLL, "a polling loop waits for memory that is written without an atomic") \
    X(BLIND_POLL, "a polling loop waits for something that Heddle does not see") \
    X(UNSEEN_WRITE, "what a polling loop waits for is written by code that is not instrumented") \
    X(CANCEL, "threads are cancelled") \
    X(TIMER, "timers expire") \
    X(IO, "threads share pipes, sockets or locks of files") \
    X(CLOCK, "several threads read the clock, or one does while another sleeps") \
    X(LAST_THREAD, "the process ends when its last thread does, main having left by pthread_exit") \
    X(FUTEX, "waiters of a futex are moved to another, or picked by a mask") \
    X(SIGNAL, "signals are sent or waited for") \
    X(SURPLUS, "a barrier turned out to be used by more threads than it has places") \
    X(OVERLAP, "atomics at different addresses share bytes") \
    X(RANGE, "a copy of many bytes was taken as one access") \
    X(FILTERED, "accesses race, and --within or --without may have left some of them out") \
    X(SITES, "more places race than can be made scheduling points") \
    X(PRIVATE, "threads share a stream, a file or a state of libc that one of them has used more " \
                "than 1,000 times") \
    X(STATE, "the locale is changed (setlocale), all streams are flushed (fflush(NULL)) or an exit " \
              "handler is registered after exit has begun, or a library that was loaded late changes the " \
              "environment, while other threads run") \
    X(OUTPUT, "some threads print while another locks, reads or repositions the standard output") \
    X(ALIAS, "several threads map the same shared memory") \
    X(MAPPED, "a mapped file is read or written by calls, or memory is unmapped or protected, beside other threads") \
    X(CALL_ACCESS, "a call such as read or fputs accessed memory that threads may share, without a " \
                    "scheduling point of its own") \
    X(INVARIANT, "what heddle_always reads is not the same memory in every execution, or " \
                  "not memory that can be watched") \
    X(CHOICE, "a choice or a fault comes inside an atomic section (it can be made before), or in the " \
               "same step as a write that heddle_always sees (heddle_yield ends a step)") \
    X(CYCLE, "threads do something and undo it in a loop") \
    X(LOOP, "a waiting loop does more than read, and was cut") \
    X(GRACE, "threads are cut off after exit") \
    X(IDLE, "time-outs happen only when nothing else can run") \
    X(RACES, "it relies on data races being found, and they were not looked for") \
    X(MISLED, "orders of threads that were to be run turned out to be impossible, so " \
               "Heddle's model of some operation is wrong here (worth a bug report)") \
    X(RETRY_SETS, "retry sets (--tm-retry-sets) leave out outcomes of transactions, and it is not proved that nothing " \
                   "is lost by that") \
    X(SUPPRESSED, "a suppressed data race has behaviours that only --points races explores")

static const struct {
    uint64_t fact;
    const char *reason;
} reasons[] = {
#define REASON(name, text) { HD_FACT_##name, text },
    REASONS(REASON)
#undef REASON
};

#define REASON_BIT(name, text) | (uint64_t)HD_FACT_##name
_Static_assert((UINT64_C(0) REASONS(REASON_BIT)) == HD_ALL_FACTS, "a fact has no reason here");

/* What remains of a claim if the ledger has an entry with this effect. */
static const struct {
    bool claims;  /* may claim completeness, or the probability of a missed bug */
    bool for_c11; /* may claim that the result holds for C11 */
} effects[] = {
    [HD_DENIES] = { false, false },
    [HD_QUALIFIES] = { true, false },
    [HD_MENTIONS] = { true, true },
};
_Static_assert(sizeof effects / sizeof *effects == HD_LEDGER_NEFFECTS, "an effect has no row here");

bool hd_claim_is_reduced(const struct hd_result *r)
{
    return hd_traits_reduces(&r->config->traits);
}

bool hd_claim_is_lazy(const struct hd_result *r)
{
    return hd_traits_is_lazy(&r->config->traits);
}

bool hd_claim_misses_race(const struct hd_result *r)
{
    return r->suppressed_race && r->config->points == HD_POINTS_SYNC;
}

bool hd_claim_is_denied(const struct hd_result *r)
{
    if (r->plain)
        return true;
    for (unsigned k = 0; k < HD_LEDGER_NEFFECTS; k++)
        if (!effects[k].claims && hd_ledger_effects(r->ledger, (enum hd_ledger_effect)k) > 0)
            return true;
    return false;
}

static bool is_qualified(const struct hd_result *r)
{
    for (unsigned k = 0; k < HD_LEDGER_NEFFECTS; k++)
        if (!effects[k].for_c11 && hd_ledger_effects(r->ledger, (enum hd_ledger_effect)k) > 0)
            return true;
    return false;
}

bool hd_claim_is_cut(const struct hd_result *r)
{
    return r->totals.loop_cuts > 0;
}

bool hd_claim_is_only_cut(const struct hd_result *r)
{
    struct hd_result followed = *r;

    followed.totals.loop_cuts = 0;
    return hd_claim_is_cut(r) && hd_result_complete(&followed);
}

bool hd_claim_is_only_denied(const struct hd_result *r)
{
    struct hd_result seen = *r;

    seen.ledger = NULL;
    seen.plain = false;
    return hd_claim_is_denied(r) && hd_result_complete(&seen);
}

bool hd_claim_is_vacuous(const struct hd_result *r)
{
    return r->totals.executions == 0 && r->totals.assumed > 0;
}

uint64_t hd_claim_gaps(const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;
    uint64_t grace = t->grace_cuts > 0 ? HD_FACT_GRACE : 0; /* the rest of these threads was not explored */
    uint64_t gaps = t->facts | grace;

    if (!hd_claim_is_reduced(r))
        return grace;
    if (r->config->timeouts_idle)
        gaps |= HD_FACT_IDLE;
    if (r->plain || !r->config->races)
        gaps |= HD_FACT_RACES;
    if (r->config->retry_sets)
        gaps |= HD_FACT_RETRY_SETS;
    if (hd_claim_misses_race(r))
        gaps |= HD_FACT_SUPPRESSED;
    if (t->exhausted && !t->complete && t->too_long == 0 && gaps == 0)
        gaps |= HD_FACT_MISLED;
    return gaps;
}

const char *hd_claim_no_proof(const struct hd_result *r)
{
    if (r->totals.unmodelled > 0)
        return "; the program polls, cancels threads or waits for time-outs that come only when "
               "nothing else can run: for such programs a bounded reduction proves nothing, but --strategy ipb does";
    if (!hd_claim_is_reduced(r) || r->config->traits.coverage > HD_COVERS_NOTHING || !r->totals.exhausted)
        return NULL;
    return r->config->traits.bound != HD_BOUND_NONE
               ? "; cutting off executions with more preemptions may lose behaviours that need fewer"
               : "; the strategy does not claim to explore everything";
}

int hd_claim_idiom_tries(const struct hd_result *r)
{
    return r->config->traits.draws == HD_DRAWS_DIRECTED && r->totals.exhausted ? (int)r->config->tries : 0;
}

bool hd_claim_ended_with_gaps(const struct hd_result *r)
{
    return hd_claim_no_proof(r) == NULL && r->totals.exhausted && hd_claim_gaps(r) != 0 &&
           !hd_claim_is_vacuous(r);
}

/* Signals are asynchronous, but Heddle delivers them only at operations. */
uint32_t hd_claim_untried(const struct hd_result *r)
{
    return r->untried | (r->totals.facts & HD_FACT_SIGNAL ? HD_UNTRIED_HANDLER : 0);
}

const char *hd_claim_next_untried(uint32_t *untried)
{
    static const struct {
        uint32_t bit;
        const char *words;
    } all[] = {
#define UNTRIED(name, bit, words) { HD_UNTRIED_##name, words },
        HD_UNTRIED(UNTRIED)
#undef UNTRIED
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*untried & all[i].bit) {
            *untried &= ~all[i].bit;
            return all[i].words;
        }
    *untried = 0;
    return NULL;
}

/* Lazy reductions preserve final states, but not races, so they claim nothing for C11. */
bool hd_claim_is_about_c11(const struct hd_result *r)
{
    return !hd_claim_is_denied(r) && r->nfindings == 0 && !hd_claim_is_lazy(r) &&
           r->nweak == 0 && !r->suppressed_race && r->config->races && r->config->bound < 0 &&
           !r->config->timeouts_idle && r->config->no_points == 0 && r->config->filters.n == 0 &&
           !is_qualified(r) && !hd_claim_is_cut(r) && r->totals.grace_cuts == 0;
}

bool hd_claim_holds_for_c11(const struct hd_result *r)
{
    return hd_claim_is_about_c11(r) && hd_claim_untried(r) == 0;
}

const char *hd_claim_next_reason(uint64_t *gaps)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (*gaps & reasons[i].fact) {
            *gaps &= ~reasons[i].fact;
            return reasons[i].reason;
        }
    HD_INVARIANT(false, "a fact without a reason");
    return NULL;
}
