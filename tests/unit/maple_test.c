/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maple_test.c - idioms are seen where an independent count sees them, predicted where they
 * can be, forced in as many executions as that takes, and given up. */
#include "support/unit.h"

#include "oracle/generate.h"
#include "search/sample/idiom_trace.h"
#include "support/crew.h"
#include "support/programs.h"

/* ---- what idiom 1 is, by its definition: quadratic, and over the events alone ----------------- */

#define CODES 64 /* of a place: enough for scripts of this test */

struct orders {
    bool seen[CODES][CODES];
};

static unsigned code_of(const struct hd_event *e)
{
    return (unsigned)e->pc * 4 + (e->kind == HD_EV_ATOMIC_LOAD ? 0 : e->kind == HD_EV_ATOMIC_STORE ? 1 : 2);
}

static bool is_memory(const struct hd_event *e)
{
    return e->kind == HD_EV_ATOMIC_LOAD || e->kind == HD_EV_ATOMIC_STORE || e->kind == HD_EV_ATOMIC_RMW;
}

static bool clash(const struct hd_event *a, const struct hd_event *b)
{
    return a->obj == b->obj && (a->kind != HD_EV_ATOMIC_LOAD || b->kind != HD_EV_ATOMIC_LOAD);
}

static void note_orders(const struct hd_execution *x, struct orders *o)
{
    for (uint32_t j = 0; j < x->nevents; j++)
        for (uint32_t i = 0; i < j; i++) {
            const struct hd_event *a = &x->events[i], *b = &x->events[j];
            bool between = false;

            if (!is_memory(a) || !is_memory(b) || a->tid == b->tid || !clash(a, b))
                continue;
            for (uint32_t k = i + 1; k < j; k++)
                between |= is_memory(&x->events[k]) && clash(a, &x->events[k]) &&
                           clash(&x->events[k], b);
            if (!between)
                o->seen[code_of(a)][code_of(b)] = true;
        }
}

static void add_orders(struct explorer *x, void *ctx)
{
    note_orders(&x->exec, ctx);
}

static struct orders orders_of(const struct program *p, const char *spec)
{
    struct orders o = { .seen = { { false } } };
    struct explorer x;

    explorer_open(&x, p, spec, -1, 5);
    x.seen = add_orders;
    x.ctx = &o;
    explorer_all(&x, 100000);
    assert_true(explorer_totals(&x)->exhausted);
    explorer_close(&x);
    return o;
}

/* Two or three threads of three accesses to two cells. */
static void memory_program(struct program *p, uint64_t seed)
{
    struct hd_rng rng = hd_rng_for(77, seed);
    unsigned threads = 2 + hd_rng_below(&rng, 2);

    *p = (struct program){ .op = { { CREATE_ALL(1, (int8_t)threads) } } };
    for (unsigned t = 1; t <= threads; t++)
        for (unsigned i = 0; i < 3; i++) {
            static const uint8_t kinds[] = { OP_READ, OP_WRITE, OP_ADD };

            p->op[t][i] = (struct prog_op){ kinds[hd_rng_below(&rng, 3)],
                                            (uint8_t)hd_rng_below(&rng, 2), 1, 0 };
        }
}

/* ---- the trace ------------------------------------------------------------------------------- */

struct learner {
    unsigned char *memory;
    struct hd_arena arena;
    struct hd_idioms idioms;
    struct hd_idiom_trace trace;
};

static void learner_open(struct learner *l)
{
    size_t size = UINT64_C(1) << 27;

    memset(l, 0, sizeof *l);
    l->memory = calloc(1, size);
    assert_non_null(l->memory);
    l->arena = (struct hd_arena){ l->memory, size, 0 };
    hd_idioms_init(&l->idioms, &l->arena);
    hd_idiom_trace_init(&l->trace, &l->idioms, &l->arena);
}

static void learn(struct explorer *x, void *ctx)
{
    hd_idiom_trace_learn(&((struct learner *)ctx)->trace, &x->exec, 8);
}

static unsigned code_at(const struct learner *l, uint16_t place)
{
    const struct hd_idiom_place *p = &l->idioms.place[place];
    struct hd_event e = { .kind = p->kind, .pc = p->pc };

    return code_of(&e);
}

static void want_orders(const struct learner *l, const struct orders *want, bool predicted_too,
                        uint64_t seed)
{
    struct orders got = { .seen = { { false } } };

    for (uint32_t i = 0; i < l->idioms.n->nidioms; i++) {
        const struct hd_idiom *id = &l->idioms.idiom[i];

        if (id->shape == 1 && (id->seen || predicted_too))
            got.seen[code_at(l, id->at[0])][code_at(l, id->at[1])] = true;
    }
    for (unsigned a = 0; a < CODES; a++)
        for (unsigned b = 0; b < CODES; b++)
            if (predicted_too ? want->seen[a][b] && !got.seen[a][b] : want->seen[a][b] != got.seen[a][b])
                fail_msg("program %llu: %u -> %u", (unsigned long long)seed, a, b);
}

/* One execution: exactly what the definition says, and a prediction for every order that
 * any execution has. */
static void one_execution_tells_what_was_and_what_can_be(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct orders once = { .seen = { { false } } };
        struct program p;
        struct learner l;
        struct explorer x;

        memory_program(&p, seed);
        learner_open(&l);
        explorer_open(&x, &p, "random", -1, seed);
        explorer_all(&x, 1);
        learn(&x, &l);
        note_orders(&x.exec, &once);
        want_orders(&l, &once, false, seed);
        struct orders all = orders_of(&p, "dfs");

        want_orders(&l, &all, true, seed);
        explorer_close(&x);
        free(l.memory);
    }
}

/* Is there an idiom of that shape that starts and ends with these kinds? */
static bool has(const struct learner *l, unsigned shape, enum hd_kind first, enum hd_kind last)
{
    for (uint32_t i = 0; i < l->idioms.n->nidioms; i++) {
        const struct hd_idiom *id = &l->idioms.idiom[i];

        if (id->shape == shape && l->idioms.place[id->at[0]].kind == first &&
            l->idioms.place[id->at[hd_idiom_length(shape) - 1]].kind == last)
            return true;
    }
    return false;
}

static void learn_plain_order(struct learner *l, const struct program *p)
{
    struct explorer x;

    learner_open(l);
    explorer_open(&x, p, "maple:profile=1", -1, 1);
    explorer_all(&x, 1);
    learn(&x, l);
    explorer_close(&x);
}

/* T1 reads and writes in one section or in two; T2 writes under the same lock. */
static const struct program one_section = { .op = {
    { CREATE_ALL(1, 2) },
    { LOCK(0), READ(0), ADD(0, 1), UNLOCK(0) },
    { LOCK(0), WRITE(0, 7), UNLOCK(0) },
} };
static const struct program two_sections = { .op = {
    { CREATE_ALL(1, 2) },
    { LOCK(0), READ(0), UNLOCK(0), LOCK(0), ADD(0, 1), UNLOCK(0) },
    { LOCK(0), WRITE(0, 7), UNLOCK(0) },
} };

static void nothing_comes_into_a_section(void **state)
{
    struct learner l;

    (void)state;
    learn_plain_order(&l, &one_section);
    assert_false(has(&l, 2, HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_RMW));
    assert_false(has(&l, 1, HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_STORE)); /* the addition is between */
    assert_true(has(&l, 1, HD_EV_ATOMIC_RMW, HD_EV_ATOMIC_STORE));
    assert_true(has(&l, 1, HD_EV_ATOMIC_STORE, HD_EV_ATOMIC_LOAD));
    free(l.memory);
    learn_plain_order(&l, &two_sections);
    assert_true(has(&l, 2, HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_RMW));
    assert_true(has(&l, 2, HD_EV_MUTEX_LOCK, HD_EV_MUTEX_LOCK));
    assert_true(has(&l, 1, HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_STORE));
    free(l.memory);
}

/* With a lock around both orders of two locks, they cannot deadlock. */
static void locks_taken_crosswise_are_idiom_5(void **state)
{
    static const struct program gated = { .op = {
        { CREATE_ALL(1, 2) },
        { LOCK(2), LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0), UNLOCK(2) },
        { LOCK(2), LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1), UNLOCK(2) },
    } };
    struct learner l;

    (void)state;
    learn_plain_order(&l, &prog_abba);
    assert_true(has(&l, 5, HD_EV_MUTEX_LOCK, HD_EV_MUTEX_LOCK));
    free(l.memory);
    learn_plain_order(&l, &gated);
    assert_false(has(&l, 5, HD_EV_MUTEX_LOCK, HD_EV_MUTEX_LOCK));
    free(l.memory);
}

/* ---- the search ------------------------------------------------------------------------------ */

static uint64_t executions_of(const struct program *p, const char *spec, uint64_t seed)
{
    struct explorer x;

    explorer_open(&x, p, spec, -1, seed);
    explorer_all(&x, 100000);
    uint64_t n = explorer_totals(&x)->executions;

    assert_true(explorer_totals(&x)->exhausted);
    assert_false(explorer_totals(&x)->complete);
    explorer_close(&x);
    return n;
}

/* The plain order has the write first; the other order is all that is missing. */
static void a_missing_order_is_forced_in_one_execution(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) }, { WRITE(0, 1) }, { READ(0) },
    } };

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct orders o = { .seen = { { false } } };
        struct explorer x;

        explorer_open(&x, &p, "maple:profile=1", -1, seed);
        explorer_all(&x, 1);
        note_orders(&x.exec, &o);
        assert_true(o.seen[1][0] && !o.seen[0][1]);
        assert_false(explorer_totals(&x)->exhausted);
        explorer_all(&x, 2);
        note_orders(&x.exec, &o);
        assert_true(o.seen[0][1]);
        assert_true(explorer_totals(&x)->exhausted);
        explorer_close(&x);
    }
}

/* Ordered by creation and join: nothing is predicted that was not there. */
static void what_creation_and_join_order_is_not_tried(void **state)
{
    static const struct program p = { .op = {
        { WRITE(0, 1), CREATE(1), JOIN(1), READ(0) }, { ADD(0, 1) },
    } };

    (void)state;
    assert_int_equal(executions_of(&p, "maple:profile=1", 1), 1);
    assert_int_equal(executions_of(&p, "maple:profile=4", 1), 4);
}

/* A semaphore makes three idioms impossible: the read before the write, the wait before the
 * post, and (5) both waits for each other.  Each is tried so often. */
static void what_is_impossible_is_given_up(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) },
        { WRITE(0, 1), { OP_POST, 0, 0, 0 } },
        { { OP_SEM_WAIT, 0, 0, 0 }, READ(0) },
    } };

    (void)state;
    assert_int_equal(executions_of(&p, "maple:profile=1,tries=2", 1), 1 + 3 * 2);
    assert_int_equal(executions_of(&p, "maple:profile=2,tries=7", 1), 2 + 3 * 7);
}

/* All orders of conflicting accesses that depth-first search reaches. */
static void every_order_that_can_be_is_reached(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct program p;

        memory_program(&p, seed);
        struct orders all = orders_of(&p, "dfs"), forced = orders_of(&p, "maple:profile=1");

        if (memcmp(&all, &forced, sizeof all) != 0)
            fail_msg("program %llu", (unsigned long long)seed);
    }
}

/* One idiom each; profile=1 runs the plain order only, which does not fail. */
static void bugs_of_one_idiom_are_found(void **state)
{
    static const struct program torn = { .op = { /* idiom 2 */
        { CREATE_ALL(1, 2) },
        { LOCK(0), WRITE(0, 1), UNLOCK(0), LOCK(0), WRITE(0, 0), UNLOCK(0) },
        { LOCK(0), ASSERT_BELOW(0, 1), UNLOCK(0) },
    } };
    static const struct program half = { .op = { /* idiom 4 */
        { CREATE_ALL(1, 2) }, { WRITE(0, 1), WRITE(1, 1) }, { READ(0), ASSERT_EQ(0, 1) },
    } };
    const struct program *const bugs[] = { &torn, &half, &prog_abba };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bugs); i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct explorer x;

            explorer_open(&x, bugs[i], "maple:profile=1", -1, seed);
            explorer_all(&x, 1);
            assert_int_equal(explorer_totals(&x)->buggy, 0);
            explorer_all(&x, 100000);
            if (explorer_totals(&x)->buggy == 0)
                fail_msg("bug %zu, seed %llu", i, (unsigned long long)seed);
            explorer_close(&x);
        }
}

/* Whatever a program does: the search ends, and is the same each time. */
static void it_ends_and_repeats_itself(void **state)
{
    (void)state;
    for (int f = 0; f < GENERATE_COUNT; f++)
        for (uint64_t i = 0; i < 6; i++) {
            uint64_t hash[2];

            for (int k = 0; k < 2; k++) {
                struct program p;
                struct explorer x;

                generate(&p, (enum generate_family)f, 9, i);
                explorer_open(&x, &p, "maple:tries=2", -1, i);
                explorer_all(&x, 50000);
                EXPECT_EQ(generate_name((enum generate_family)f), explorer_totals(&x)->exhausted, 1);
                hash[k] = explorer_totals(&x)->trace_hash;
                explorer_close(&x);
            }
            assert_true(hash[0] == hash[1]);
        }
}

static uint32_t sites_found_late(const struct explorer *x)
{
    return x->exec.index >= 8;
}

/* New points come some executions after they were found: there are profiles of them. */
static void new_points_are_waited_for(void **state)
{
    static const struct program p = { .op = { { READ(0) } } };
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "maple", -1, 1);
    x.sites = sites_found_late;
    explorer_all(&x, 100000);
    assert_true(explorer_totals(&x)->exhausted);
    assert_int_equal(explorer_totals(&x)->executions, 8 + 8 / 4 + 2 + 10);
    explorer_close(&x);
}

/* ---- several workers ---------------------------------------------------------------------------- */

static struct tally together(const struct program *p, const char *spec, struct orders *o, uint64_t seed)
{
    static struct crew crew;
    struct hd_rng rng = hd_rng_for(31, seed);

    crew.note = o != NULL ? add_orders : NULL;
    crew.ctx = o;
    crew.trouble = seed % 3 == 2; /* workers that are killed and started again */
    struct tally t = crew_explore(&crew, 2 + hd_rng_below(&rng, 3), p, spec, -1, &rng);

    assert_true(t.over);
    assert_false(t.complete);
    return t;
}

/* The workers divide the profiles and the attempts to force idioms, and no attempt is made twice. */
static void workers_divide_the_attempts(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) },
        { WRITE(0, 1), { OP_POST, 0, 0, 0 } },
        { { OP_SEM_WAIT, 0, 0, 0 }, READ(0) },
    } };

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct tally t = together(&p, "maple:profile=1,tries=2", NULL, seed);

        assert_int_equal(t.executions, 1 + 3 * 2);
        assert_int_equal(t.tasks, 1 + 3);
        t = together(&p, "maple:profile=5,tries=7", NULL, seed);
        assert_int_equal(t.executions, 5 + 3 * 7);
    }
}

static void workers_reach_every_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct orders forced = { .seen = { { false } } };
        struct program p;

        memory_program(&p, seed);
        struct orders all = orders_of(&p, "dfs");

        together(&p, "maple:profile=1", &forced, seed);
        if (memcmp(&all, &forced, sizeof all) != 0)
            fail_msg("program %llu", (unsigned long long)seed);
    }
}

static void workers_end_on_any_program(void **state)
{
    (void)state;
    for (int f = 0; f < GENERATE_COUNT; f++)
        for (uint64_t i = 0; i < 6; i++) {
            struct program p;

            generate(&p, (enum generate_family)f, 9, i);
            together(&p, "maple:tries=2", NULL, i);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_execution_tells_what_was_and_what_can_be),
        cmocka_unit_test(nothing_comes_into_a_section),
        cmocka_unit_test(locks_taken_crosswise_are_idiom_5),
        cmocka_unit_test(a_missing_order_is_forced_in_one_execution),
        cmocka_unit_test(what_creation_and_join_order_is_not_tried),
        cmocka_unit_test(what_is_impossible_is_given_up),
        cmocka_unit_test(every_order_that_can_be_is_reached),
        cmocka_unit_test(bugs_of_one_idiom_are_found),
        cmocka_unit_test(it_ends_and_repeats_itself),
        cmocka_unit_test(new_points_are_waited_for),
        cmocka_unit_test(workers_divide_the_attempts),
        cmocka_unit_test(workers_reach_every_order),
        cmocka_unit_test(workers_end_on_any_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
