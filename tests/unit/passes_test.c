/* SPDX-License-Identifier: BSD-2-Clause
 *
 * passes_test.c - racing sites that are found end a pass: the search begins anew at its
 * root, as if it had never run, whichever process is killed in the meantime. */
#include "support/unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/explorer.h"
#include "support/programs.h"

static const struct program adders = { .op = {
    { CREATE_ALL(1, 3) },
    { ADD(0, 1), ADD(0, 1), ADD(0, 1) },
    { ADD(0, 1), ADD(0, 1) },
    { ADD(0, 1), ADD(0, 1), ASSERT_BELOW(0, 9) },
} };

static const char *const exhaustive[] = { "dfs", "ipb", "idb", "dpor", "dpor-optimal",
                                          "dpor-classic", "dpor-lazy", "dfs+cache", "ipb+cache",
                                          "dfs+lazycache", "bpor-lazy", "bpor", "bpor-source" };

/* The first site is found where thread 3 comes before thread 1, the second where it
 * does so in a later pass: what an execution finds depends on its decisions only. */
static uint32_t find_sites(const struct explorer *x)
{
    uint64_t known = explorer_totals(x)->sites;
    bool third = false;

    for (uint32_t i = 0; i < x->exec.nsteps && known < 2; i++) {
        third |= x->exec.decisions[i].chosen == 3;
        if (third && x->exec.decisions[i].chosen == 1)
            return (uint32_t)known + 1;
    }
    return (uint32_t)known;
}

static struct hd_totals explored(const char *spec, bool with_sites)
{
    struct explorer x;

    explorer_open(&x, &adders, spec, -1, 13);
    x.sites = with_sites ? find_sites : NULL;
    explorer_all(&x, UINT64_MAX);
    struct hd_totals t = *explorer_totals(&x);

    explorer_close(&x);
    return t;
}

static void the_last_pass_is_a_search_of_its_own(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(exhaustive); s++) {
        struct hd_totals want = explored(exhaustive[s], false), got = explored(exhaustive[s], true);

        EXPECT_EQ(exhaustive[s], got.restarts, 2);
        EXPECT_EQ(exhaustive[s], got.sites, 2);
        EXPECT_EQ(exhaustive[s], got.executions, want.executions);
        EXPECT_EQ(exhaustive[s], got.redundant, want.redundant);
        EXPECT_EQ(exhaustive[s], got.complete, 1);
        EXPECT_EQ(exhaustive[s], got.begun, want.begun + got.discarded);
        EXPECT_EQ(exhaustive[s], got.discarded > 0 && got.discarded % 2 == 0, 1);
    }
}

static void a_search_that_draws_goes_on(void **state)
{
    struct explorer x;

    (void)state;
    explorer_open(&x, &adders, "random", -1, 13);
    x.sites = find_sites;
    explorer_all(&x, 100);
    assert_int_equal(explorer_totals(&x)->sites, 2);
    assert_int_equal(explorer_totals(&x)->restarts, 0);
    assert_int_equal(explorer_totals(&x)->executions, 100);
    explorer_close(&x);
}

/* Cut off anywhere, also between the commit that begins a pass and the first step of
 * setting the arena up anew, or in the middle of that. */
static void trouble_changes_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(exhaustive); s++) {
        struct hd_totals want = explored(exhaustive[s], true);
        struct hd_rng rng = hd_rng_for(7, s);
        struct explorer x;

        explorer_open(&x, &adders, exhaustive[s], -1, 13);
        x.sites = find_sites;
        while (hd_search_begin(&x.search)) {
            if (explorer_run(&x, hd_rng_below(&rng, 30)))
                hd_search_end(&x.search);
            const struct hd_totals *t = explorer_totals(&x);

            if (x.search.shared->pass != t->restarts + 1 && hd_rng_below(&rng, 2) == 0)
                x.search.shared->pass = 0;
            if (hd_rng_below(&rng, 4) == 0)
                explorer_reopen(&x);
        }
        struct hd_totals got = *explorer_totals(&x);

        got.cursor = want.cursor = (struct hd_cursor){ { 0 } };
        got.tree_max = want.tree_max; /* nodes may have been lost */
        if (memcmp(&got, &want, sizeof want) != 0)
            fail_msg("%s: totals differ", exhaustive[s]);
        explorer_close(&x);
    }
}

static unsigned run_with_kills(struct explorer *x, struct hd_rng *rng)
{
    for (unsigned kills = 0;; kills++) {
        pid_t pid = fork();
        int status;

        assert_true(pid >= 0);
        if (pid == 0) {
            explorer_reopen(x);
            explorer_all(x, UINT64_MAX);
            _exit(0);
        }
        usleep(200 + hd_rng_below(rng, 1000) + 50 * kills);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (WIFEXITED(status))
            return kills;
    }
}

static void killed_workers_change_nothing(void **state)
{
    static const char *const some[] = { "dfs", "dpor-optimal", "dpor-classic", "bpor-lazy" };
    struct hd_rng rng = hd_rng_for(2, 2);
    struct explorer *x = mmap(NULL, sizeof *x, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_true(x != MAP_FAILED);
    for (size_t s = 0; s < COUNT_OF(some); s++) {
        struct hd_totals want = explored(some[s], true);

        explorer_open(x, &adders, some[s], -1, 13);
        x->sites = find_sites;
        print_message("%s: %u kills\n", some[s], run_with_kills(x, &rng));
        const struct hd_totals *got = explorer_totals(x);

        EXPECT_EQ(some[s], got->executions, want.executions);
        EXPECT_EQ(some[s], got->redundant, want.redundant);
        EXPECT_EQ(some[s], got->discarded, want.discarded);
        EXPECT_EQ(some[s], got->restarts, 2);
        EXPECT_EQ(some[s], got->complete, 1);
        explorer_close(x);
    }
    munmap(x, sizeof *x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_pass_is_a_search_of_its_own),
        cmocka_unit_test(a_search_that_draws_goes_on),
        cmocka_unit_test(trouble_changes_nothing),
        cmocka_unit_test(killed_workers_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
