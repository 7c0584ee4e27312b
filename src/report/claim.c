/* SPDX-License-Identifier: BSD-2-Clause
 *
 * claim.c - the words for what partial-order reduction does not know of. */
#include "report/claim.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static const struct {
    enum hd_fact fact;
    const char *reason;
} reasons[] = {
    { HD_FACT_PLAIN_POLL, "a polling loop waits for memory that is written without an atomic" },
    { HD_FACT_BLIND_POLL, "a polling loop waits for something that Heddle does not see" },
    { HD_FACT_UNSEEN_WRITE, "what a polling loop waits for is written by code that is not instrumented" },
    { HD_FACT_CANCEL, "threads are cancelled" },
    { HD_FACT_TIMER, "timers expire" },
    { HD_FACT_IO, "threads share pipes, sockets or locks of files" },
    { HD_FACT_CLOCK, "several threads read the clock, or one does while another sleeps" },
    { HD_FACT_LAST_THREAD, "the process ends when its last thread does, main having left by pthread_exit" },
    { HD_FACT_FUTEX, "waiters of a futex are moved to another, or picked by a mask" },
    { HD_FACT_SIGNAL, "signals are sent or waited for" },
    { HD_FACT_SURPLUS, "a barrier turned out to be used by more threads than it has places" },
    { HD_FACT_OVERLAP, "atomics at different addresses share bytes" },
    { HD_FACT_RANGE, "a copy of many bytes was taken as one access" },
    { HD_FACT_FILTERED, "accesses race, and --within or --without may have left some of them out" },
    { HD_FACT_SITES, "more places race than can be made scheduling points" },
    { HD_FACT_PRIVATE, "threads share a stream, a file or a state of libc that one of them has used more "
                       "than 1,000 times" },
    { HD_FACT_STATE, "the locale is changed (setlocale), all streams are flushed (fflush(NULL)) or an exit "
                     "handler is registered after exit has begun, or a library that was loaded late changes the "
                     "environment, while other threads run" },
    { HD_FACT_OUTPUT, "some threads print while another locks, reads or repositions the standard output" },
    { HD_FACT_ALIAS, "several threads map the same shared memory" },
    { HD_FACT_INVARIANT, "what heddle_always reads is not the same memory in every execution, or "
                         "not memory that can be watched" },
    { HD_FACT_CHOICE, "a choice or a fault comes inside an atomic section (it can be made before), or in the "
                      "same step as a write that heddle_always sees (heddle_yield ends a step)" },
    { HD_FACT_CYCLE, "threads do something and undo it in a loop" },
    { HD_FACT_LOOP, "a loop that waits does more than look, and was cut" },
    { HD_FACT_GRACE, "threads are cut off after exit" },
    { HD_FACT_IDLE, "time-outs happen only when nothing else can run" },
    { HD_FACT_RACES, "it relies on data races being found, and they were not looked for" },
    { HD_FACT_MISLED, "orders of threads that were to be run turned out to be impossible, so "
                      "Heddle's model of some operation is wrong here (worth a bug report)" },
    { HD_FACT_SUPPRESSED, "a suppressed data race has behaviours that only --points races explores" },
};

bool hd_claim_is_reduced(const struct hd_result *r)
{
    return hd_config_reduces(r->config);
}

bool hd_claim_is_by(const struct hd_result *r, const char *name)
{
    size_t n = strlen(name);

    return strncmp(r->config->strategy, name, n) == 0 &&
           (r->config->strategy[n] == '\0' || r->config->strategy[n] == '+');
}

/* (bpor-lazy is lazy in another way.) */
bool hd_claim_is_lazy(const struct hd_result *r)
{
    return hd_claim_is_by(r, "dpor-lazy") || strstr(r->config->strategy, "+lazycache") != NULL;
}

bool hd_claim_misses_race(const struct hd_result *r)
{
    return r->suppressed_race && r->config->points == HD_POINTS_SYNC;
}

bool hd_claim_is_vacuous(const struct hd_result *r)
{
    return r->totals.executions == 0 && r->totals.assumed > 0;
}

uint64_t hd_claim_gaps(const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;
    uint64_t grace = t->grace_cuts > 0 ? HD_FACT_GRACE : 0; /* nobody has seen the rest */
    uint64_t gaps = t->facts | grace;

    if (!hd_claim_is_reduced(r))
        return grace;
    if (r->config->timeouts_idle)
        gaps |= HD_FACT_IDLE;
    if (r->plain || !r->config->races)
        gaps |= HD_FACT_RACES;
    if (hd_claim_misses_race(r))
        gaps |= HD_FACT_SUPPRESSED;
    if (t->exhausted && !t->complete && t->too_long == 0 && gaps == 0)
        gaps |= HD_FACT_MISLED;
    return gaps;
}

const char *hd_claim_no_bounded_proof(const struct hd_result *r)
{
    if (r->totals.unmodelled > 0)
        return "; the program polls, cancels threads or waits for time-outs that come only when "
               "nothing else can run: there a bounded reduction proves nothing, --strategy ipb does";
    if (hd_claim_is_by(r, "bpor-naive") && r->totals.exhausted)
        return "; cutting off executions with more preemptions loses behaviours of fewer";
    return NULL;
}

int hd_claim_idiom_tries(const struct hd_result *r)
{
    const char *tries = strstr(r->config->params, "tries=");

    if (!hd_claim_is_by(r, "maple") || !r->totals.exhausted)
        return 0;
    return tries != NULL ? atoi(tries + strlen("tries=")) : HD_MAPLE_TRIES;
}

bool hd_claim_ended_with_gaps(const struct hd_result *r)
{
    return hd_claim_no_bounded_proof(r) == NULL && r->totals.exhausted && hd_claim_gaps(r) != 0 &&
           !hd_claim_is_vacuous(r);
}

/* Lazy reductions keep final states, but not races. */
bool hd_claim_holds_for_c11(const struct hd_result *r)
{
    return !r->plain && r->nfindings == 0 && !hd_claim_is_lazy(r) &&
           r->nweak == 0 && !r->suppressed_race && r->config->races && r->config->bound < 0 &&
           !r->config->timeouts_idle &&
           r->nuncontrolled == 0 && r->totals.loop_cuts == 0 && r->totals.grace_cuts == 0;
}

const char *hd_claim_next_reason(uint64_t *gaps)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (*gaps & reasons[i].fact) {
            *gaps &= ~(uint64_t)reasons[i].fact;
            return reasons[i].reason;
        }
    HD_INVARIANT(false, "a fact without a reason");
    return NULL;
}
