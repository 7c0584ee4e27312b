/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result_test.c - the sentence that names the guarantee follows from what was
 * reached, and the verdict from the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/check.h"
#include "campaign/setup/configure.h"
#include "report/verdict/result.h"

static const struct {
    const char *name;
    struct hd_config config;
    struct hd_totals totals;
    bool plain;
    uint32_t hangs, nqualified;
    enum hd_verdict verdict;
    const char *want;
} rows[] = {
    { "everything", { .strategy = "dfs", .bound = -1 }, { .executions = 90, .complete = 1, .bound = -1 },
      false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 90 executions, "
      "none fails" },
    { "one execution", { .strategy = "dfs", .bound = -1 }, { .executions = 1, .complete = 1, .bound = -1 },
      false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 1 execution, "
      "none fails" },
    { "every access", { .strategy = "dfs", .bound = -1, .points = HD_POINTS_ALL },
      { .executions = 1234, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation and every memory access, under sequential "
      "consistency: 1,234 executions, none fails" },
    { "bounded", { .strategy = "ipb", .bound = 2 }, { .executions = 20, .complete = 1, .bound = 2 },
      false, 0, 0, HD_VERDICT_CLEAN,
      "verified up to 2 preemptions: all interleavings at synchronisation points with at most that "
      "many, under sequential consistency: 20 executions, none fails" },
    { "iterative to the end", { .strategy = "ipb", .bound = -1 },
      { .executions = 20, .complete = 1, .bound = 5 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 20 executions, "
      "none fails" },
    { "reduced", { .strategy = "bpor-lazy", .races = 1, .bound = 1 }, { .executions = 20, .complete = 1, .bound = 1 },
      false, 0, 0, HD_VERDICT_CLEAN,
      "verified up to 1 preemption: all interleavings of synchronisation operations and atomics "
      "(plain accesses between them run as one; none of them race) with at most that many, under sequential consistency: 20 executions, none fails" },
    { "reduced, estimated", { .strategy = "bpor-lazy", .races = 1, .bound = 2, .points = HD_POINTS_ALL },
      { .executions = 20, .complete = 1, .bound = 2, .estimated = 7 }, false, 0, 0, HD_VERDICT_CLEAN,
      "verified up to 2 preemptions: all interleavings at synchronisation and every memory access "
      "with at most that many, under sequential consistency: 20 executions, none fails; in 7 "
      "executions the least number of preemptions was estimated from below, so some may need more "
      "than the bound" },
    { "reduced, deepening, broken off", { .strategy = "bpor", .races = 1, .bound = -1, .points = HD_POINTS_ALL },
      { .executions = 20, .bound = 3 }, false, 0, 0, HD_VERDICT_BUDGET,
      "verified up to 2 preemptions: all interleavings at synchronisation and every memory access with "
      "at most that many, under sequential consistency; the search with 3 was not finished: 20 "
      "executions, none fails" },
    { "only the smallest bound", { .strategy = "bpor-lazy", .races = 1, .bound = -1 },
      { .executions = 1, .bound = 1 }, false, 0, 0, HD_VERDICT_BUDGET,
      "verified without preemptions: all interleavings of synchronisation operations and atomics "
      "(plain accesses between them run as one; none of them race) that need none, under sequential "
      "consistency; the search with 1 was not finished: 1 execution, none fails" },
    { "reduced, deepening to the end", { .strategy = "bpor-lazy", .races = 1, .bound = -1 },
      { .executions = 20, .complete = 1, .exhausted = 1, .bound = 3, .estimated = 7 }, false, 0, 0,
      HD_VERDICT_CLEAN,
      "all interleavings of synchronisation operations and atomics (plain accesses between them run "
      "as one; none of them race), under sequential consistency: 20 executions, none fails; all "
      "atomics are seq_cst and nothing races, so it holds for C11" },
    { "reduced, one bound, broken off", { .strategy = "bpor-lazy", .races = 1, .bound = 3 },
      { .executions = 20, .bound = 3 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 20 executions found nothing, and the search was not finished" },
    { "naive", { .strategy = "bpor-naive", .races = 1, .bound = 1 },
      { .executions = 20, .exhausted = 1, .bound = 1 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 20 executions found nothing; cutting off executions with more preemptions "
      "may lose behaviours that need fewer" },
    { "reduced, polling", { .strategy = "bpor-lazy", .races = 1, .bound = -1 },
      { .executions = 20, .exhausted = 1, .bound = 3, .unmodelled = 4 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 20 executions found nothing; the program polls, cancels threads or waits for "
      "time-outs that come only when nothing else can run: for such programs a bounded "
      "reduction proves nothing, but --strategy ipb does" },
    { "iterative, broken off", { .strategy = "idb", .bound = -1 },
      { .executions = 20, .bound = 2 }, false, 0, 0, HD_VERDICT_BUDGET,
      "verified up to 1 delay: all interleavings at synchronisation points with at most that many, "
      "under sequential consistency; the search with 2 was not finished: 20 executions, none fails" },
    { "cached", { .strategy = "dfs+cache", .races = 1, .bound = -1 },
      { .executions = 20, .redundant = 9, .complete = 1, .exhausted = 1, .bound = -1 }, false, 0, 0,
      HD_VERDICT_CLEAN,
      "all interleavings of synchronisation operations and atomics (plain accesses between them run "
      "as one; none of them race), under sequential consistency: 20 executions, none fails; all "
      "atomics are seq_cst and nothing races, so it holds for C11" },
    { "cached, races not looked for", { .strategy = "dfs+cache", .bound = -1 },
      { .executions = 20, .redundant = 9, .complete = 1, .exhausted = 1, .bound = -1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 20 executions found nothing; a reduced search cannot claim to have seen "
      "everything: it relies on data races being found, and they were not looked for; --strategy dfs "
      "can claim it" },
    { "cached, bounded, broken off", { .strategy = "ipb+cache", .bound = 3 },
      { .executions = 20, .bound = 2 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 20 executions found nothing, and the search was not finished" },
    { "random", { .strategy = "random", .bound = -1 }, { .executions = 100000, .bound = -1 }, false,
      0, 0, HD_VERDICT_BUDGET, "nothing proved: 100,000 random executions found nothing" },
    { "pct", { .strategy = "pct", .bound = -1, .params = "d=2" },
      { .executions = 1, .by_depth = 1, .bound = -1, .threads_max = 2, .steps_max = 5 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 1 random execution (pct) found nothing; each bug of depth 2 is missed with "
      "probability at most 0.9" },
    { "pct with choices", { .strategy = "pct", .bound = -1, .params = "d=2" },
      { .executions = 1, .by_depth = 1, .bound = -1, .threads_max = 2, .steps_max = 5, .choices = 1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 1 random execution (pct) found nothing; how likely a bug is missed is not "
      "known, because executions also depend on choices (heddle_choose, --faults, transactions)" },
    { "one thread", { .strategy = "pct", .bound = -1 },
      { .executions = 100, .begun = 100, .bound = -1, .threads_max = 1, .steps_max = 5, .enabled_max = 1 },
      false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 100 random executions (pct) found nothing; one thread and no choice: every "
      "execution is the same, so no more were run" },
    { "one thread, and choices", { .strategy = "random", .bound = -1 },
      { .executions = 100, .begun = 100, .bound = -1, .threads_max = 1, .enabled_max = 1, .choices = 100 },
      false, 0, 0, HD_VERDICT_BUDGET, "nothing proved: 100 random executions found nothing" },
    { "ppct", { .strategy = "ppct", .bound = -1, .params = "d=1" },
      { .executions = 2, .by_depth = 2, .bound = -1, .threads_max = 2, .steps_max = 5 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 2 random executions (ppct) found nothing; each bug of depth 1 is missed with "
      "probability at most 0.25" },
    { "mix: the odds are those of what pct has drawn", /* (1 - 1/(2 * 5^2))^4 = 0.922 */
      { .strategy = "mix", .bound = -1 },
      { .executions = 17, .by_depth = 4, .bound = -1, .threads_max = 2, .steps_max = 5 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 17 random executions (mix) found nothing; each bug of depth 3 is missed with "
      "probability at most 0.92" },
    { "mix: pct has drawn nothing yet", { .strategy = "mix", .bound = -1 },
      { .executions = 1, .bound = -1, .threads_max = 2, .steps_max = 5 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 1 random execution (mix) found nothing" },
    { "not finished", { .strategy = "dfs", .bound = -1 }, { .executions = 5, .bound = -1 }, false, 0,
      0, HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing, and the search was not finished" },
    { "timers were cut short", { .strategy = "dfs", .bound = -1, .loop_bound = 3 },
      { .executions = 5, .complete = 1, .loop_cuts = 1000, .bound = -1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing, and the search was not finished; periodic timers were cut short (1,000 times)" },
    { "complete but for one that was too long", { .strategy = "dfs", .bound = -1, .max_steps = 9 },
      { .executions = 5, .complete = 1, .too_long = 1, .too_long_steps = 9, .bound = -1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing, and the search was not finished; 1 ran too long "
      "and was given up (limit 9 steps)" },
    { "given up before the limit", { .strategy = "dfs", .bound = -1, .max_steps = 9 },
      { .executions = 5, .complete = 1, .too_long = 2, .too_long_steps = 12, .bound = -1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing, and the search was not finished; 2 ran too long "
      "and were given up (after 6 steps on average)" },
    { "lazy reduction", { .strategy = "dpor-lazy", .bound = -1, .points = HD_POINTS_EVERY, .races = 1 },
      { .executions = 5, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation and every memory access, under sequential "
      "consistency: 5 executions, none fails; critical sections that commute were run in one order "
      "only, which proves nothing about data races; whether they do is judged by the accesses that "
      "the compiler announces" },
    { "lazy cache", { .strategy = "dfs+lazycache", .bound = -1, .points = HD_POINTS_EVERY, .races = 1 },
      { .executions = 5, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation and every memory access, under sequential "
      "consistency: 5 executions, none fails; critical sections that commute were run in one order "
      "only, which proves nothing about data races; whether they do is judged by the accesses that "
      "the compiler announces" },
    { "lazy reduction that fell back",
      { .strategy = "dpor-lazy", .bound = -1, .points = HD_POINTS_EVERY, .races = 1 },
      { .executions = 5, .complete = 1, .fallback = HD_FALLBACK_BLOCKS, .bound = -1 }, false, 0, 0,
      HD_VERDICT_CLEAN,
      "all interleavings at synchronisation and every memory access, under sequential "
      "consistency: 5 executions, none fails; a thread may block while it holds a mutex, so dpor "
      "was used" },
    { "a bug", { .strategy = "pct", .bound = -1 }, { .executions = 5, .buggy = 1, .bound = -1 },
      false, 0, 0, HD_VERDICT_BUG,
      "1 of 5 executions fails; the search stopped there, nothing is known of the rest" },
    { "all bugs", { .strategy = "dfs", .bound = -1, .keep_going = 1 },
      { .executions = 5, .buggy = 2, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_BUG,
      "2 of 5 executions fail; what was asked for was explored completely" },
    { "a reduction", { .strategy = "dpor", .races = 1, .bound = -1 },
      { .executions = 5, .complete = 1, .exhausted = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings of synchronisation operations and atomics (plain accesses between them run "
      "as one; none of them race), under sequential consistency: 5 executions, none fails; all "
      "atomics are seq_cst and nothing races, so it holds for C11" },
    { "a reduction that met what it does not know", { .strategy = "dpor-optimal", .races = 1, .bound = -1 },
      { .executions = 5, .complete = 1, .exhausted = 1, .bound = -1,
        .facts = HD_FACT_CANCEL | HD_FACT_IO },
      false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing; a reduced search cannot claim to have seen "
      "everything: threads are cancelled, and threads share pipes, sockets or locks of files; "
      "--strategy dfs can claim it" },
    { "a reduction with idle time-outs", { .strategy = "dpor", .races = 1, .bound = -1, .timeouts_idle = 1 },
      { .executions = 1, .complete = 1, .exhausted = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 1 execution found nothing; a reduced search cannot claim to have seen "
      "everything: time-outs happen only when nothing else can run; --strategy dfs can claim it" },
    { "a full search with idle time-outs", { .strategy = "dfs", .races = 1, .bound = -1, .timeouts_idle = 1 },
      { .executions = 1, .complete = 1, .exhausted = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 1 execution, none "
      "fails; time-outs only when nothing else could run" },
    { "a reduction that was misled", { .strategy = "dpor", .races = 1, .bound = -1 },
      { .executions = 2, .exhausted = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 2 executions found nothing; a reduced search cannot claim to have seen "
      "everything: orders of threads that were to be run turned out to be impossible, so Heddle's "
      "model of some operation is wrong here (worth a bug report); --strategy dfs can claim it" },
    { "a reduction that was not finished", { .strategy = "dpor", .races = 1, .bound = -1 },
      { .executions = 2, .facts = HD_FACT_CANCEL, .bound = -1 }, false, 0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 2 executions found nothing, and the search was not finished" },
    { "facts do not concern a full search", { .strategy = "dfs", .bound = -1 },
      { .executions = 5, .complete = 1, .exhausted = 1, .facts = HD_FACT_CANCEL, .bound = -1 },
      false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 5 executions, "
      "none fails" },
    { "threads were cut after exit", { .strategy = "dfs", .bound = -1, .exit_grace = 1000 },
      { .executions = 5, .complete = 1, .exhausted = 1, .grace_cuts = 2, .bound = -1 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing; it cannot claim to have seen everything: threads "
      "are cut off after exit; threads still running 1000 operations after exit were cut (2 times)" },
    { "threads were cut after exit, within a bound", { .strategy = "ipb", .bound = 2, .exit_grace = 7 },
      { .executions = 5, .exhausted = 1, .complete = 1, .grace_cuts = 1, .bound = 2 }, false, 0, 0,
      HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing; it cannot claim to have seen everything: threads "
      "are cut off after exit; threads still running 7 operations after exit were cut (1 time)" },
    { "a surplus at a barrier, known too late", { .strategy = "dpor", .races = 1, .bound = -1 },
      { .executions = 5, .complete = 1, .exhausted = 1, .facts = HD_FACT_SURPLUS, .bound = -1 }, false,
      0, 0, HD_VERDICT_BUDGET,
      "nothing proved: 5 executions found nothing; a reduced search cannot claim to have seen "
      "everything: a barrier turned out to be used by more threads than it has places; --strategy "
      "dfs can claim it" },
    { "with faults", { .strategy = "dfs", .bound = -1, .faults = HD_FAULT_MALLOC | HD_FAULT_WAKEUP,
                       .fault_bound = 2 },
      { .executions = 5, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 5 executions, "
      "none fails; with at most 2 injected faults of: malloc, spurious-wakeup" },
    { "with budgets", { .strategy = "dfs", .bound = -1, .faults = HD_FAULT_MALLOC | HD_FAULT_CRASH | HD_FAULT_DROP,
                        .fault_bound = 1, .fault_budgets2 = 1u << 8 | 2u << 16 },
      { .executions = 5, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 5 executions, "
      "none fails; with at most 1 injected fault of: malloc, crash: 1, drop: 2" },
    { "an assumption", { .strategy = "dfs", .bound = -1 },
      { .executions = 5, .assumed = 1000, .complete = 1, .bound = -1 }, false, 0, 0, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 5 executions, "
      "none fails; heddle_assume leaves out 1,000 executions" },
    { "something that is not controlled", { .strategy = "dfs", .bound = -1 },
      { .executions = 5, .complete = 1, .bound = -1 }, false, 0, 2, HD_VERDICT_CLEAN,
      "all interleavings at synchronisation points, under sequential consistency: 5 executions, "
      "none fails; 2 things were not controlled" },
};

/* The rest of what follows from the strategy's name and parameters. */
static const struct hd_config *configured(struct hd_config *c)
{
    const struct hd_config named = *c;

    hd_configure_strategy(c, named.strategy, named.params);
    return c;
}

static void the_sentence_claims_what_is_true(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct hd_ledger ledger = { .n = rows[i].nqualified,
                                          .entry = { { HD_QUALIFIES, "a" }, { HD_QUALIFIES, "b" } } };
        struct hd_config c = rows[i].config;
        struct hd_result r = { .config = configured(&c), .totals = rows[i].totals,
                               .plain = rows[i].plain, .hangs = rows[i].hangs, .ledger = &ledger,
                               .verdict = rows[i].verdict };
        char got[1024];

        if (rows[i].verdict != HD_VERDICT_BUG &&
            hd_result_complete(&r) != (rows[i].verdict == HD_VERDICT_CLEAN))
            fail_msg("%s: complete is %d", rows[i].name, hd_result_complete(&r));
        hd_result_guarantee(&r, got, sizeof got);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s:\n got  %s\n want %s", rows[i].name, got, rows[i].want);
    }
}

static void assumptions_that_never_hold_are_named(void **state)
{
    static const char *const unsatisfied[] = { "a.c:1", "b.c:2" };
    struct hd_config c = { .strategy = "dfs", .bound = -1 };
    struct hd_result r = { .config = configured(&c), .unsatisfied = unsatisfied, .nunsatisfied = 2, .verdict = HD_VERDICT_CLEAN,
                           .totals = { .executions = 1, .assumed = 1, .complete = 1, .bound = -1 } };
    char got[1024];

    (void)state;
    hd_result_guarantee(&r, got, sizeof got);
    assert_non_null(strstr(got, "1 execution, none fails; heddle_assume leaves out 1 execution; no "
                                "execution passed heddle_assume at a.c:1; no execution passed "
                                "heddle_assume at b.c:2"));
}

/* All is true of no execution. */
static void a_search_without_executions_proves_nothing(void **state)
{
    static const char *const strategies[] = { "dfs", "ipb", "dpor", "bpor-lazy" };
    static const char *const unsatisfied[] = { "a.c:1" };
    char got[1024];

    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct hd_config c = { .bound = -1, .races = 1 };
        struct hd_result r = { .config = configured(&c), .unsatisfied = unsatisfied, .nunsatisfied = 1, .verdict = HD_VERDICT_BUDGET,
                               .totals = { .assumed = 2, .complete = 1, .exhausted = 1, .bound = 3 } };

        hd_configure_strategy(&c, strategies[i], "");
        assert_false(hd_result_complete(&r));
        hd_result_guarantee(&r, got, sizeof got);
        assert_string_equal(got, "nothing proved: heddle_assume left out all 2 executions; no "
                                 "execution passed heddle_assume at a.c:1");
        r.totals.complete = r.totals.exhausted = 0;
        hd_result_guarantee(&r, got, sizeof got);
        assert_string_equal(got, "nothing proved: heddle_assume left out all 2 executions, and the "
                                 "search was not finished; no execution passed heddle_assume at a.c:1");
    }
}

static void weak_atomics_are_named(void **state)
{
    static const char *const places[] = { "a.c:1", "a.c:2", "b.c:3", "b.c:4", "b.c:5" };
    struct hd_config c = { .strategy = "dfs", .bound = -1, .races = 1 };
    struct hd_result r = { .config = configured(&c), .totals = { .executions = 5, .complete = 1, .bound = -1 },
                           .weak = places, .nweak = 1 };
    char got[1024];

    (void)state;
    hd_result_guarantee(&r, got, sizeof got);
    assert_string_equal(got, "all interleavings at synchronisation points, under sequential "
                             "consistency: 5 executions, none fails; 1 atomic is weaker than "
                             "seq_cst, at a.c:1: what only a weaker memory order allows was not "
                             "explored");
    r.nweak = 5;
    hd_result_guarantee(&r, got, sizeof got);
    assert_non_null(strstr(got, "; 5 atomics are weaker than seq_cst, at a.c:1, a.c:2, b.c:3, b.c:4 "
                                "and elsewhere: "));
    assert_null(strstr(got, "C11"));
}

/* As preemptions are: before all else. */
static void cut_loops_are_a_bound(void **state)
{
#define ALL "all interleavings at synchronisation points"
#define SC ", under sequential consistency"
#define MANY " with at most that many" SC
    static const char *const places[] = { "a.c:1", "b.c:2", "b.c:3", "b.c:4", "b.c:5", "c.c:6" };
    static const struct {
        const char *strategy;
        int64_t bound;
        uint32_t loop_bound, nloops;
        uint32_t rounds[6];
        struct hd_totals totals;
        const char *want;
    } cases[] = {
        { "dfs", -1, 3, 1, { 3 }, { .executions = 5, .complete = 1, .loop_cuts = 1000, .bound = -1 },
          "nothing proved beyond 3 idle rounds of the loop at a.c:1: " ALL MANY ": 5 executions, none fails; "
          "threads were stopped there (1,000 times); a larger --loop-bound explores more" },
        { "dfs", -1, HD_MAX_LOOP_BOUND, 1, { HD_MAX_LOOP_BOUND },
          { .executions = 5, .complete = 1, .loop_cuts = 1, .bound = -1 },
          "nothing proved beyond 250 idle rounds of the loop at a.c:1: " ALL MANY ": 5 executions, none fails; "
          "threads were stopped there (1 time)" },
        { "dfs", -1, 1, 6, { 1, 4, 4, 4, 4, 4 }, { .executions = 5, .complete = 1, .loop_cuts = 2, .bound = -1 },
          "nothing proved beyond 1 idle round of the loop at a.c:1, and 4 rounds of the loops at b.c:2, b.c:3, "
          "b.c:4, b.c:5 and elsewhere: " ALL MANY ": 5 executions, none fails; threads were stopped "
          "there (2 times); a larger --loop-bound explores more" },
        { "ipb", 2, 3, 2, { 3, 3 }, { .executions = 5, .complete = 1, .loop_cuts = 1, .bound = 2 },
          "nothing proved beyond 2 preemptions and 3 idle rounds of the loops at a.c:1 and b.c:2: " ALL MANY
          ": 5 executions, none fails; threads were stopped there (1 time); a larger --loop-bound "
          "explores more" },
        { "ipb", 0, 3, 1, { 12 }, { .executions = 5, .complete = 1, .loop_cuts = 1 },
          "nothing proved beyond 0 preemptions and 12 rounds of the loop at a.c:1: " ALL MANY
          ": 5 executions, none fails; threads were stopped there (1 time); a larger --loop-bound "
          "explores more" },
        { "ipb", 4, 3, 1, { 3 }, { .executions = 5, .loop_cuts = 1, .bound = 2 },
          "verified up to 1 preemption and 3 idle rounds of the loop at a.c:1: " ALL MANY "; the search "
          "with 2 was not finished: 5 executions, none fails; threads were stopped there (1 time); a "
          "larger --loop-bound explores more" },
        { "dfs", -1, 3, 1, { 3 }, { .executions = 5, .loop_cuts = 1, .bound = -1 },
          "nothing proved: 5 executions found nothing, and the search was not finished; threads were "
          "stopped after 3 idle rounds of the loop at a.c:1 (1 time); a larger --loop-bound explores "
          "more" },
        { "dfs", -1, 3, 1, { HD_MANY_ROUNDS }, { .executions = 5, .loop_cuts = 1, .bound = -1 },
          "nothing proved: 5 executions found nothing, and the search was not finished; threads were "
          "stopped after many rounds of the loop at a.c:1 (1 time); a larger --loop-bound explores "
          "more" },
        { "dfs", -1, 3, 1, { 3 }, { .executions = 5, .complete = 1, .bound = -1 }, /* in an earlier pass */
          ALL SC ": 5 executions, none fails" },
    };
    char got[1024];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_config c = { .bound = cases[i].bound, .loop_bound = cases[i].loop_bound };
        struct hd_result r = { .config = configured(&c), .totals = cases[i].totals, .loops = places,
                               .loop_rounds = cases[i].rounds, .nloops = cases[i].nloops };

        hd_configure_strategy(&c, cases[i].strategy, "");
        hd_result_guarantee(&r, got, sizeof got);
        assert_string_equal(got, cases[i].want);
        assert_int_equal(hd_result_complete(&r), r.totals.complete && r.totals.loop_cuts == 0);
    }
#undef ALL
#undef SC
#undef MANY
}

/* With findings, too, all is explored only up to that. */
static void cut_loops_bound_what_was_explored(void **state)
{
    static const char *const places[] = { "a.c:1" };
    static const uint32_t rounds[] = { 12 };
    struct hd_config c = { .strategy = "dfs", .bound = -1, .loop_bound = 3, .keep_going = 1 };
    struct hd_result_finding f = { .kind = HD_FK_DEADLOCK };
    struct hd_result r = { .config = configured(&c), .loops = places, .loop_rounds = rounds, .nloops = 1,
                           .findings = &f, .nfindings = 1, .verdict = HD_VERDICT_BUG,
                           .totals = { .executions = 5, .buggy = 1, .complete = 1, .bound = -1,
                                       .loop_cuts = 1 } };
    char got[1024];

    (void)state;
    hd_result_guarantee(&r, got, sizeof got);
    assert_string_equal(got, "1 of 5 executions fails; nothing is known beyond 12 rounds of the loop at "
                             "a.c:1");
}

/* Less than all interleavings, or less than all atomics and races: no word of C11. */
static void c11_is_not_claimed_lightly(void **state)
{
    static const struct hd_ledger qualified = { .n = 1, .entry = { { HD_QUALIFIES, "a" } } };
    struct hd_config base = { .strategy = "dfs", .bound = -1, .races = 1 };
    struct hd_result all = { .config = configured(&base),
                             .totals = { .executions = 5, .complete = 1, .bound = -1 } };
    char got[1024];

    (void)state;
    hd_result_guarantee(&all, got, sizeof got);
    assert_non_null(strstr(got, "holds for C11"));
    for (int i = 0; i < 8; i++) {
        struct hd_config c = base;
        struct hd_result r = all;

        r.config = configured(&c);
        if (i == 0)
            c.races = 0;
        else if (i == 1)
            c.bound = 2, hd_configure_strategy(&c, "ipb", "");
        else if (i == 2)
            c.timeouts_idle = 1;
        else if (i == 3)
            r.totals.loop_cuts = 1;
        else if (i == 4)
            r.ledger = &qualified;
        else if (i == 5)
            hd_configure_strategy(&c, "dfs+lazycache", "");
        else if (i == 6)
            r.suppressed_race = true, r.nsuppressed = 1, c.points = HD_POINTS_RACES;
        else
            r.plain = true;
        hd_result_guarantee(&r, got, sizeof got);
        assert_null(strstr(got, "C11"));
    }
}

/* Suppressed is not absent, and a race takes away more than itself. */
static void suppressed_findings_are_told(void **state)
{
    struct hd_config c = { .strategy = "dfs", .bound = -1, .races = 1 };
    struct hd_result r = { .config = configured(&c), .nsuppressed = 2,
                           .totals = { .executions = 5, .complete = 1, .exhausted = 1, .bound = -1 } };
    char got[1024];

    (void)state;
    c.races = 0; /* no word of C11 */
    hd_result_guarantee(&r, got, sizeof got);
    assert_non_null(strstr(got, "5 executions, none fails otherwise; 2 findings were suppressed"));
    c.races = 1;
    r.suppressed_end = true;
    hd_result_guarantee(&r, got, sizeof got);
    assert_non_null(strstr(got, "2 findings were suppressed, and what their threads would have done "
                                "after them was not seen"));
    r.nsuppressed = 1;
    hd_result_guarantee(&r, got, sizeof got);
    assert_non_null(strstr(got, "1 finding was suppressed, and what its thread would have done after it "
                                "was not seen"));
    r.nsuppressed = 2;
    r.suppressed_end = false;
    r.suppressed_race = true;
    hd_result_guarantee(&r, got, sizeof got);
    assert_true(hd_result_complete(&r)); /* all interleavings at its points, as it says */
    assert_non_null(strstr(got, "suppressed, a data race among them: it has behaviours between these "
                                "points, which only --points races explores"));
    hd_configure_strategy(&c, "dpor", "");
    assert_false(hd_result_complete(&r)); /* what it left out may differ after all */
    r.verdict = HD_VERDICT_BUDGET;
    r.nsuppressed = 1;
    hd_result_guarantee(&r, got, sizeof got);
    assert_string_equal(got, "nothing proved: 5 executions found nothing else; a reduced search cannot "
                             "claim to have seen everything: a suppressed data race has behaviours that "
                             "only --points races explores; 1 finding was suppressed");
    c.points = HD_POINTS_RACES;
    r.verdict = HD_VERDICT_CLEAN;
    assert_true(hd_result_complete(&r));
    hd_result_guarantee(&r, got, sizeof got);
    assert_null(strstr(got, "only --points"));
    assert_non_null(strstr(got, "; 1 finding was suppressed"));
}

static void a_small_buffer_is_not_overrun(void **state)
{
    struct hd_config c = { .strategy = "dfs", .bound = -1 };
    struct hd_result r = { .config = configured(&c), .totals = { .executions = 5, .complete = 1 } };
    char got[20];

    (void)state;
    memset(got, 'x', sizeof got);
    hd_result_guarantee(&r, got, sizeof got - 1);
    assert_string_equal(got, "all interleavings ");
    assert_int_equal(got[sizeof got - 1], 'x');
}

static void verdicts_have_their_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(hd_verdict_exit_code(HD_VERDICT_CLEAN), HD_EXIT_CLEAN);
    assert_int_equal(hd_verdict_exit_code(HD_VERDICT_BUG), HD_EXIT_FINDING);
    assert_int_equal(hd_verdict_exit_code(HD_VERDICT_BUDGET), HD_EXIT_BUDGET);
    assert_int_equal(hd_verdict_exit_code(HD_VERDICT_DIVERGED), HD_EXIT_DIVERGED);
    assert_int_equal(hd_verdict_exit_code(HD_VERDICT_ERROR), HD_EXIT_INTERNAL);
}

static void numbers_have_commas(void **state)
{
    static const struct { uint64_t n; const char *want; } numbers[] = {
        { 0, "0" }, { 999, "999" }, { 1000, "1,000" }, { 1234567, "1,234,567" },
    };
    char got[32];

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hd_text_number(numbers[i].n, got, sizeof got);
        assert_string_equal(got, numbers[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sentence_claims_what_is_true),
        cmocka_unit_test(assumptions_that_never_hold_are_named),
        cmocka_unit_test(a_search_without_executions_proves_nothing),
        cmocka_unit_test(weak_atomics_are_named),
        cmocka_unit_test(cut_loops_are_a_bound),
        cmocka_unit_test(cut_loops_bound_what_was_explored),
        cmocka_unit_test(c11_is_not_claimed_lightly),
        cmocka_unit_test(suppressed_findings_are_told),
        cmocka_unit_test(a_small_buffer_is_not_overrun),
        cmocka_unit_test(verdicts_have_their_exit_codes),
        cmocka_unit_test(numbers_have_commas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
