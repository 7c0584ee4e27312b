/* SPDX-License-Identifier: BSD-2-Clause
 *
 * resume_test.c - rule S4: executions are cut off anywhere, workers are killed,
 * and the campaign comes out as if nothing had happened. */
#include "support/unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/generate.h"
#include "support/explorer.h"
#include "support/programs.h"

#define LIMIT 3000

static const char *const strategies[] = { "dfs", "ipb", "idb", "random", "pct:d=3",
                                          "pct:d=2,demote=1", "ppct:d=3", "pos", "surw",
                                          "stale", "mix", "mix:d=2",
                                          "surw:all=1,profile=5", "maple", "maple:profile=2,tries=2",
                                          "probe", "dpor", "dpor-optimal",
                                          "dpor-classic", "dpor-classic:sleep=0", "dpor-lazy",
                                          "dfs+cache", "ipb+cache", "idb+cache",
                                          "dfs+lazycache", "ipb+lazycache",
                                          "bpor-lazy", "bpor", "bpor-source", "bpor-naive",
                                          "bpor-lazy:cells=40" };

static struct hd_totals undisturbed(const struct program *p, const char *spec)
{
    struct explorer x;

    explorer_open(&x, p, spec, -1, 13);
    explorer_all(&x, LIMIT);
    struct hd_totals t = *explorer_totals(&x);

    explorer_close(&x);
    return t;
}

/* One execution with trouble: cut off before, in the middle, or between the end
 * and its commit; go on in the same search or in a fresh one. */
static bool troubled_execution(struct explorer *x, struct hd_rng *rng)
{
    uint32_t cut = hd_rng_below(rng, 12);

    if (!hd_search_begin(&x->search))
        return false;
    bool over = explorer_run(x, cut < 10 ? cut : 10000);

    if (over) {
        hd_search_end(&x->search);
        if (hd_rng_below(rng, 3) == 0)
            x->campaign.current ^= 1; /* as if it had not committed */
    }
    if (hd_rng_below(rng, 2) == 0)
        explorer_reopen(x);
    return true;
}

/* Some of them with choices, which change the tree of dpor-optimal on the way, or with atomic
 * sections, of which it drops what turns out to be covered. */
static void random_program(struct program *p, struct hd_rng *rng, uint64_t i)
{
    if (i % 3 == 2)
        generate(p, i % 2 == 0 ? GENERATE_CHOICE : GENERATE_ATOMIC, 3, i);
    else
        prog_random(p, rng);
}

static void cut_off_executions_change_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(strategies); s++)
        for (uint64_t i = 0; i < 25; i++) {
            struct hd_rng rng = hd_rng_for(101, i);
            struct program p;
            struct explorer x;

            random_program(&p, &rng, i);
            struct hd_totals want = undisturbed(&p, strategies[s]);

            explorer_open(&x, &p, strategies[s], -1, 13);
            while (explorer_totals(&x)->begun < want.begun && troubled_execution(&x, &rng))
                ;
            if (memcmp(explorer_totals(&x), &want, sizeof want) != 0)
                fail_msg("%s, random program %llu: totals differ", strategies[s],
                         (unsigned long long)i);
            explorer_close(&x);
        }
}

/* The worker is a process of its own; SIGKILL comes at any instruction. */
static unsigned run_with_kills(struct explorer *x, struct hd_rng *rng)
{
    unsigned kills = 0;

    for (;;) {
        fflush(NULL);
        pid_t pid = fork();
        int status;

        assert_true(pid >= 0);
        if (pid == 0) {
            explorer_reopen(x);
            explorer_all(x, UINT64_MAX);
            _exit(0);
        }
        /* Longer and longer, so that a slow machine gets through as well. */
        usleep(300 + hd_rng_below(rng, 1500) + 20 * kills);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (WIFEXITED(status)) {
            assert_int_equal(WEXITSTATUS(status), 0);
            return kills;
        }
        kills++;
    }
}

static void killed_workers_change_nothing(void **state)
{
    static const char *const exhaustive[] = { "dfs", "ipb", "dpor", "dpor-optimal",
                                              "dpor-classic", "dpor-lazy", "dfs+cache",
                                              "ipb+cache", "idb+cache", "bpor-lazy", "bpor",
                                              "bpor-source", "bpor-naive", "maple:profile=1000" };
    struct hd_rng rng = hd_rng_for(1, 2);
    struct explorer *x = mmap(NULL, sizeof *x, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_true(x != MAP_FAILED);
    for (size_t s = 0; s < COUNT_OF(exhaustive); s++) {
        explorer_open(x, &prog_many_adds, exhaustive[s], 3, 1);
        explorer_all(x, UINT64_MAX);
        struct hd_totals want = *explorer_totals(x);

        explorer_close(x);
        explorer_open(x, &prog_many_adds, exhaustive[s], 3, 1);
        print_message("%s: %u kills\n", exhaustive[s], run_with_kills(x, &rng));
        struct hd_totals got = *explorer_totals(x);

        /* the cursor of a finished search means nothing, and may hold addresses; nodes of
         * a tree may have been lost (W1) */
        got.cursor = want.cursor = (struct hd_cursor){ { 0 } };
        assert_true(got.tree_max >= want.tree_max);
        got.tree_max = want.tree_max;
        assert_memory_equal(&got, &want, sizeof want);
        explorer_close(x);
    }
    munmap(x, sizeof *x);
}

/* The zygote ends an execution whose worker died: it has only the shared memory. */
static void lost_executions_are_ended_by_another_process(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(strategies); s++)
        for (uint64_t i = 0; i < 25; i++) {
            struct hd_rng rng = hd_rng_for(103, i);
            struct program p;
            struct explorer x;
            uint64_t lost = 0;

            random_program(&p, &rng, i);
            explorer_open(&x, &p, strategies[s], -1, 13);
            while (explorer_totals(&x)->begun < LIMIT && hd_search_begin(&x.search)) {
                bool over = explorer_run(&x, hd_rng_below(&rng, 40));

                if (!over) {
                    lost++;
                    x.exec.ending = HD_END_LOST;
                    x.exec.findings = 1;
                    explorer_reopen(&x);
                }
                hd_search_end(&x.search);
            }
            const struct hd_totals *t = explorer_totals(&x);

            EXPECT_EQ(strategies[s], t->exhausted || t->begun == LIMIT, 1);
            if (lost > 0)
                EXPECT_EQ(strategies[s], t->complete, 0);
            explorer_close(&x);
        }
}

/* Killed inside begin: the state in the arena is that of the execution before. */
static void an_execution_that_was_not_begun_can_be_ended(void **state)
{
    struct hd_totals want = undisturbed(&prog_abba, "dfs");
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_abba, "dfs", -1, 13);
    explorer_all(&x, 4);
    explorer_reopen(&x);
    x.exec.ending = HD_END_LOST;
    x.exec.findings = 1;
    hd_search_end(&x.search);
    assert_int_equal(explorer_totals(&x)->begun, 5);
    explorer_all(&x, UINT64_MAX);
    assert_int_equal(explorer_totals(&x)->complete, 0);
    assert_true(explorer_totals(&x)->executions <= want.executions);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_off_executions_change_nothing),
        cmocka_unit_test(killed_workers_change_nothing),
        cmocka_unit_test(lost_executions_are_ended_by_another_process),
        cmocka_unit_test(an_execution_that_was_not_begun_can_be_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
