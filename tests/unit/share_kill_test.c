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

#include "oracle/generate.h"
#include "oracle/oracle.h"
#include "search/core/share.h"
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

/* Classes of executions: those that one worker has counted, of which the others must see
 * every one. */
static struct classes {
    uint64_t hash[1 << 16];
    bool seen[1 << 16];
    uint64_t counted; /* executions, by the one */
} *classes;

static uint64_t place_of(const struct explorer *x, uint64_t *hash)
{
    *hash = oracle_hash(x->exec.events, x->exec.nevents, x->state.script) | 1;
    uint64_t i = *hash % COUNT_OF(classes->hash);

    while (classes->hash[i] != 0 && classes->hash[i] != *hash)
        i = (i + 1) % COUNT_OF(classes->hash);
    return i;
}

static void counted_alone(struct explorer *x, void *ctx)
{
    uint64_t executions = explorer_totals(x)->executions, hash, i = place_of(x, &hash);

    (void)ctx;
    if (executions == classes->counted)
        return;
    classes->counted = executions;
    assert_true(executions < COUNT_OF(classes->hash) / 2);
    classes->hash[i] = hash;
}

/* Before the execution counts: one that was seen and is repeated is the same. */
static void seen_together(const struct explorer *x)
{
    uint64_t hash, i = place_of(x, &hash);

    if (classes->hash[i] != 0)
        __atomic_store_n(&classes->seen[i], true, __ATOMIC_RELAXED);
}

static uint64_t not_seen(void)
{
    uint64_t n = 0;

    for (size_t i = 0; i < COUNT_OF(classes->hash); i++)
        n += classes->hash[i] != 0 && !classes->seen[i];
    return n;
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
        seen_together(x);
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

/* ---- one worker at a time, which dies behind a given instruction ------------------------
 *
 * All state is in memory and nothing undoes what was done there: to jump away in the
 * middle is to be killed, as far as a search can tell, and much faster. */

#if defined __x86_64__
static sigjmp_buf death;
static volatile uint64_t instructions_left;

static void instruction_done(int sig)
{
    (void)sig;
    if (--instructions_left == 0)
        siglongjmp(death, 1);
}

/* The processor traps behind every instruction, or no longer.  (What lies below the stack
 * pointer may be in use.) */
static void trap(bool on)
{
    uint64_t flag = UINT64_C(1) << 8, flags;

    __asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
                     "pushfq\n\tpop %0\n\tandq %2, %0\n\torq %1, %0\n\tpush %0\n\tpopfq\n\t"
                     "lea 128(%%rsp), %%rsp"
                     : "=&r"(flags) : "r"(on ? flag : 0), "r"(~flag) : "cc", "memory");
}

/* In what of an execution a worker dies, unless that is too short. */
enum phase { IN_BEGIN, IN_RUN, IN_END, PHASES };

static enum hd_begin one_execution(struct explorer *x, struct hd_share *sh, enum phase dies)
{
    trap(dies == IN_BEGIN);
    enum hd_begin b = hd_search_begin(&x->search);

    trap(dies == IN_RUN && b == HD_BEGIN_RUN);
    if (b != HD_BEGIN_RUN)
        return b;
    explorer_run(x, 10000);
    trap(false);
    seen_together(x);
    __atomic_store_n(&sh->wanted, 1, __ATOMIC_RELAXED);
    trap(dies == IN_END);
    hd_search_end(&x->search);
    trap(false);
    return b;
}

/* False: it died. */
static bool take_turn(struct explorer *x, struct hd_share *sh, enum phase dies, enum hd_begin *b)
{
    if (sigsetjmp(death, 1) != 0)
        return false;
    explorer_reopen(x);
    *b = one_execution(x, sh, dies);
    return true;
}

/* Every execution is tried twice: the first time its worker dies. */
static struct {
    enum phase phase;
    uint64_t instruction; /* behind which */
} dying;

static void run_by_turns(struct explorer *x, struct hd_arena *shared, struct hd_rng *rng,
                         unsigned *kills, unsigned *with_lock)
{
    struct hd_share *sh = (struct hd_share *)(void *)shared->base;
    bool over[WORKERS] = { false }, died[WORKERS] = { false };

    signal(SIGTRAP, instruction_done);
    for (unsigned working = WORKERS; working > 0;) {
        uint32_t w = hd_rng_below(rng, WORKERS);
        enum hd_begin b;

        if (over[w])
            continue;
        instructions_left = dying.instruction;
        if (take_turn(&x[w], sh, died[w] ? PHASES : dying.phase, &b)) {
            died[w] = false;
            over[w] = b == HD_BEGIN_NONE;
            working -= over[w];
            continue;
        }
        died[w] = true;
        ++*kills;
        *with_lock += hd_share_locked(sh, w);
        hd_share_recover(shared, w);
    }
    signal(SIGTRAP, SIG_DFL);
}
#endif

static void add(struct hd_totals *sum, const struct hd_totals *t, bool redundant)
{
    sum->executions += t->executions;
    sum->redundant += redundant ? t->redundant : 0;
    sum->buggy += t->buggy;
    sum->steps_sum += t->steps_sum;
    sum->events_sum += t->events_sum;
}

/* What must be as it is with one worker. */
enum sameness {
    SAME_CLASSES,    /* all that it counts are seen */
    SAME_EXECUTIONS, /* as often */
    SAME_TOTALS,     /* and as many are redundant */
};

typedef void run_workers(struct explorer *x, struct hd_arena *shared, struct hd_rng *rng,
                         unsigned *kills, unsigned *with_lock);

struct trial {
    const struct program *program;
    const char *spec;
    enum sameness how;
    run_workers *run;
};

static unsigned killed, locked;

/* False: too many executions. */
static bool compare(struct explorer *x, const struct trial *t, struct hd_rng *rng, uint64_t limit)
{
    struct hd_arena shared = { .base = map(SHARED_BYTES), .size = SHARED_BYTES };
    struct hd_totals want = { .bound = 0 }, got = { .bound = 0 };
    unsigned kills = 0;

    explorer_open(x, t->program, t->spec, 3, 1);
    memset(classes, 0, sizeof *classes);
    x->seen = counted_alone;
    explorer_all(x, limit);
    x->seen = NULL;
    bool over = explorer_totals(x)->exhausted;

    add(&want, explorer_totals(x), t->how == SAME_TOTALS);
    explorer_close(x);
    for (uint32_t w = 0; over && w < WORKERS; w++)
        explorer_open_worker(&x[w], t->program, t->spec, 3, 1, &shared, NULL, w, WORKERS);
    if (over)
        t->run(x, &shared, rng, &kills, &locked);
    for (uint32_t w = 0; over && w < WORKERS; w++) {
        add(&got, explorer_totals(&x[w]), t->how == SAME_TOTALS);
        explorer_close(&x[w]);
    }
    killed += kills;
    if (over) {
        if (t->how != SAME_CLASSES && memcmp(&got, &want, sizeof want) != 0)
            print_error("%s, %u kills: %llu executions instead of %llu\n", t->spec, kills,
                        (unsigned long long)got.executions, (unsigned long long)want.executions);
        if (t->how != SAME_CLASSES)
            assert_memory_equal(&got, &want, sizeof want);
        assert_true(classes->counted > 0);
        EXPECT_EQ(t->spec, not_seen(), 0);
        assert_true(hd_share_over(&shared) && hd_share_complete(&shared));
    }
    munmap(shared.base, SHARED_BYTES);
    return over;
}

static size_t rounds(size_t quick, size_t deep)
{
    const char *wanted = getenv("HEDDLE_DEEP");

    return wanted != NULL && wanted[0] == '1' ? deep : quick;
}

static void killed_workers_change_nothing(void **state)
{
    static const struct trial trials[] = {
        { &prog_many_adds, "dfs", SAME_TOTALS, run_with_kills },
        { &prog_many_adds, "ipb", SAME_TOTALS, run_with_kills },
        { &prog_many_adds, "idb", SAME_TOTALS, run_with_kills },
        { &prog_many_adds, "dpor", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "dpor-optimal", SAME_TOTALS, run_with_kills },
        { &prog_many_adds, "dpor-classic", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "bpor-lazy", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "dfs+cache", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "ipb+cache", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "idb+cache", SAME_EXECUTIONS, run_with_kills },
        { &prog_many_adds, "bpor", SAME_CLASSES, run_with_kills },
        { &prog_many_adds, "bpor-source", SAME_CLASSES, run_with_kills },
    };
    struct hd_rng rng = hd_rng_for(3, 4);
    struct explorer *x = map(WORKERS * sizeof *x);

    (void)state;
    for (size_t i = 0; i < rounds(1, 40) * COUNT_OF(trials); i++)
        compare(x, &trials[i % COUNT_OF(trials)], &rng, UINT64_MAX);
    print_message("%u kills, %u with the lock\n", killed, locked);
    munmap(x, WORKERS * sizeof *x);
}

/* Processes that run at once, on programs with everything that there is. */
static void killed_workers_change_nothing_in_any_family(void **state)
{
    static const char *const spec[] = { "dpor-optimal", "dpor", "dpor-classic", "bpor-lazy",
                                        "dfs+cache" };
    struct hd_rng rng = hd_rng_for(5, 6);
    struct explorer *x = map(WORKERS * sizeof *x);
    unsigned tried = 0;

    (void)state;
    for (size_t i = 0; i < rounds(2, 100) * GENERATE_COUNT * COUNT_OF(spec); i++) {
        struct program p;
        struct trial t = { &p, spec[i % COUNT_OF(spec)],
                           i % COUNT_OF(spec) == 0 ? SAME_TOTALS : SAME_EXECUTIONS,
                           run_with_kills };

        generate(&p, (enum generate_family)(i / COUNT_OF(spec) % GENERATE_COUNT), 9, i);
        tried += compare(x, &t, &rng, 1000);
    }
    print_message("%u programs\n", tried);
    assert_true(tried > 0);
    munmap(x, WORKERS * sizeof *x);
}

#if defined __x86_64__
/* Also between two stores of which the compiler has changed the order.  By the clock
 * hardly any worker is killed there, unless the second one reaches its page first. */
static void killed_behind_each_instruction_nothing_is_lost(void **state)
{
    static const char *const spec[] = { "dpor-classic", "bpor-lazy", "dfs+cache", "dpor",
                                        "dpor-optimal" };
    struct hd_rng rng = hd_rng_for(7, 8);
    struct explorer *x = map(WORKERS * sizeof *x);
    unsigned before = killed;
    struct program p;

    (void)state;
    generate(&p, GENERATE_MEMORY, 9, 3); /* a few executions, and steps that sleep */
    for (size_t i = 0; i < rounds(3, COUNT_OF(spec) * PHASES); i++) {
        struct trial t = { &p, spec[i % COUNT_OF(spec)], SAME_EXECUTIONS, run_by_turns };

        dying.phase = (enum phase)(i / COUNT_OF(spec));
        /* every instruction of all phases would take hours: there, some of them */
        for (dying.instruction = 1; dying.instruction <= rounds(140, 1500); dying.instruction += rounds(1, 31))
            assert_true(compare(x, &t, &rng, 40));
    }
    print_message("%u kills\n", killed - before);
    assert_true(killed > before);
    munmap(x, WORKERS * sizeof *x);
}
#endif

int main(void)
{
    classes = map(sizeof *classes);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_workers_change_nothing),
        cmocka_unit_test(killed_workers_change_nothing_in_any_family),
#if defined __x86_64__
        cmocka_unit_test(killed_behind_each_instruction_nothing_is_lost),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
