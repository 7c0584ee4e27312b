/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share_kill_test.c - workers that share a search are processes; SIGKILL comes at any
 * instruction, also while they hold the lock, and the search comes out as if nothing
 * had happened. */
#include "support/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "search/share.h"
#include "support/explorer.h"
#include "support/programs.h"

#define WORKERS 3
#define SHARED_BYTES (UINT64_C(1) << 30)

static void *map(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);

    assert_true(p != MAP_FAILED);
    return p;
}

/* Gives work away after every execution, so that the lock is held often. */
static void work(struct explorer *x, struct hd_share *sh)
{
    for (;;) {
        enum hd_begin b = hd_search_begin(&x->search);

        if (b == HD_BEGIN_NONE)
            _exit(0);
        if (b == HD_BEGIN_WAIT) {
            usleep(50);
            continue;
        }
        explorer_run(x, 10000);
        __atomic_store_n(&sh->wanted, 1, __ATOMIC_RELAXED);
        hd_search_end(&x->search);
    }
}

static pid_t start(struct explorer *x, struct hd_arena *shared, uint32_t worker)
{
    fflush(NULL);
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        explorer_reopen(&x[worker]);
        work(&x[worker], (struct hd_share *)(void *)shared->base);
    }
    return pid;
}

/* All workers run; now and then one is killed and started again. */
static void run_with_kills(struct explorer *x, struct hd_arena *shared, struct hd_rng *rng,
                           unsigned *kills, unsigned *locked)
{
    pid_t pid[WORKERS];
    unsigned working = WORKERS;

    for (uint32_t w = 0; w < WORKERS; w++)
        pid[w] = start(x, shared, w);
    while (working > 0) {
        uint32_t w = hd_rng_below(rng, WORKERS);
        int status;

        /* Longer and longer, so that a slow machine gets through as well. */
        usleep(100 + hd_rng_below(rng, 400) + 5 * *kills);
        if (pid[w] == 0)
            continue;
        kill(pid[w], SIGKILL);
        assert_int_equal(waitpid(pid[w], &status, 0), pid[w]);
        if (WIFEXITED(status)) {
            assert_int_equal(WEXITSTATUS(status), 0);
            pid[w] = 0;
            working--;
            continue;
        }
        ++*kills;
        *locked += hd_share_locked((struct hd_share *)(void *)shared->base, w);
        hd_share_recover(shared, w);
        pid[w] = start(x, shared, w);
    }
}

static void add(struct hd_totals *sum, const struct hd_totals *t, bool redundant)
{
    sum->executions += t->executions;
    sum->redundant += redundant ? t->redundant : 0;
    sum->buggy += t->buggy;
    sum->steps_sum += t->steps_sum;
    sum->events_sum += t->events_sum;
}

static void killed_workers_change_nothing(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 3) },
        { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
        { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
        { ADD(0, 1), ADD(0, 1), ASSERT_BELOW(0, 9), ADD(0, 1) },
    } };
    static const struct { const char *spec; bool redundant; } tried[] = {
        { "dfs", true }, { "ipb", true }, { "idb", true }, { "dpor", false },
        { "dpor-optimal", true }, { "dpor-classic", false },
    };
    const char *deep = getenv("HEDDLE_DEEP");
    size_t rounds = deep != NULL && deep[0] == '1' ? 40 : 1;
    struct hd_rng rng = hd_rng_for(3, 4);
    struct explorer *x = map(WORKERS * sizeof *x);
    unsigned locked = 0;

    (void)state;
    for (size_t i = 0; i < rounds * COUNT_OF(tried); i++) {
        size_t s = i % COUNT_OF(tried);
        struct hd_arena shared = { .base = map(SHARED_BYTES), .size = SHARED_BYTES };
        struct hd_totals want = { .bound = 0 }, got = { .bound = 0 };
        unsigned kills = 0;

        explorer_open(x, &p, tried[s].spec, 3, 1);
        explorer_all(x, UINT64_MAX);
        add(&want, explorer_totals(x), tried[s].redundant);
        explorer_close(x);
        for (uint32_t w = 0; w < WORKERS; w++)
            explorer_open_worker(&x[w], &p, tried[s].spec, 3, 1, &shared, w, WORKERS);
        run_with_kills(x, &shared, &rng, &kills, &locked);
        for (uint32_t w = 0; w < WORKERS; w++) {
            add(&got, explorer_totals(&x[w]), tried[s].redundant);
            explorer_close(&x[w]);
        }
        print_message("%s: %llu executions, %u kills\n", tried[s].spec,
                      (unsigned long long)got.executions, kills);
        assert_memory_equal(&got, &want, sizeof want);
        assert_true(hd_share_over(&shared) && hd_share_complete(&shared));
        munmap(shared.base, SHARED_BYTES);
    }
    print_message("%u were killed with the lock\n", locked);
    munmap(x, WORKERS * sizeof *x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_workers_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
