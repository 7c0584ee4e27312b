/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_test.c - the table of explored states, the rule by which a visit is covered
 * by earlier ones, and that a weaker rule would lose classes. */
#include "support/unit.h"

#include <sys/mman.h>

#include "oracle/generate.h"
#include "oracle/oracle.h"
#include "search/enumerate/cache.h"
#include "support/compare.h"
#include "support/explorer.h"
#include "support/programs.h"

#define ARENA_BYTES (UINT64_C(1) << 24)

static struct hd_arena arena;

static struct hd_cache fresh_cache(uint64_t megabytes)
{
    struct hd_cache c = { .used = 0 };

    if (arena.base != NULL)
        munmap(arena.base, ARENA_BYTES);
    arena = (struct hd_arena){ .size = ARENA_BYTES };
    arena.base = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0);
    assert_true(arena.base != MAP_FAILED);
    hd_cache_init(&c, &arena, megabytes);
    return c;
}

/* ---- the rule ------------------------------------------------------------------------ */

static void a_visit_is_covered_by_the_same_thread_or_a_cheaper_one(void **state)
{
    static const struct {
        const char *name;
        uint32_t was;
        unsigned was_last;
        uint32_t count;
        unsigned last;
        bool want;
    } rows[] = {
        { "the same", 2, 1, 2, 1, true },
        { "another thread ran last", 2, 1, 2, 0, false },
        { "more is spent", 2, 1, 3, 1, true },
        { "1 more pays for the switch", 2, 1, 3, 0, true },
        { "less is spent", 2, 1, 1, 1, false },
        { "every switch was free", 2, HD_CACHE_ANY, 2, 1, true },
        { "every switch is free now", 2, 1, 2, HD_CACHE_ANY, false },
        { "every switch is free now, and more is spent", 2, 1, 3, HD_CACHE_ANY, true },
        { "the largest slot", 0, 255, 0, 255, true },
        { "slot 0 is a thread", 0, 0, 0, 1, false },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        EXPECT_EQ(rows[r].name,
                  hd_cache_covers(hd_cache_with(0, rows[r].was, rows[r].was_last), rows[r].count,
                                  rows[r].last),
                  rows[r].want);
    assert_false(hd_cache_covers(0, HD_CACHE_MAX_COUNT, HD_CACHE_ANY));
}

static void visits_add_up(void **state)
{
    uint64_t seen = 0;

    (void)state;
    for (unsigned last = 0; last < 4; last++)
        seen = hd_cache_with(seen, 5, last);
    for (unsigned last = 0; last < 4; last++)
        assert_true(hd_cache_covers(seen, 5, last));
    /* no room: explored again, which is no harm */
    assert_false(hd_cache_covers(hd_cache_with(seen, 5, 4), 5, 4));
    assert_int_equal(hd_cache_with(seen, 5, 2), seen);
    seen = hd_cache_with(seen, 4, 9);
    assert_true(hd_cache_covers(seen, 4, 9));
    assert_false(hd_cache_covers(seen, 4, 0));
    assert_true(hd_cache_covers(seen, 5, 0));
    assert_true(hd_cache_covers(hd_cache_with(seen, 4, HD_CACHE_ANY), 4, 0));
}

/* ---- the table ------------------------------------------------------------------------ */

static struct hd_cache_visit visit(uint64_t key, uint64_t index, uint32_t count, unsigned last)
{
    return (struct hd_cache_visit){ .key = { key, key }, .index = index, .count = count,
                                    .last = last };
}

static void later_executions_find_what_earlier_ones_entered(void **state)
{
    struct hd_cache c = fresh_cache(1);
    struct hd_cache_visit v = visit(77, 3, 1, 0);

    (void)state;
    assert_false(hd_cache_known(&c, &v));
    assert_false(hd_cache_known(&c, &v)); /* K1: the same execution, begun again */
    v.index = 4;
    assert_true(hd_cache_known(&c, &v));
    v.key.hi++;
    assert_false(hd_cache_known(&c, &v)); /* both halves count */
    v.key.hi--;
    v.last = 1;
    assert_false(hd_cache_known(&c, &v));
    assert_false(hd_cache_known(&c, &v)); /* K1 for a change */
    v.index = 5;
    assert_true(hd_cache_known(&c, &v));
    v.last = 0;
    assert_true(hd_cache_known(&c, &v)); /* still there */
}

static void entries_of_an_earlier_pass_do_not_count(void **state)
{
    struct hd_cache c = fresh_cache(1);
    struct hd_cache_visit v = visit(77, 3, 0, HD_CACHE_ANY);

    (void)state;
    hd_cache_known(&c, &v);
    v = visit(77, 9, 2, 1);
    v.first = 4;
    assert_false(hd_cache_known(&c, &v));
    v.index = 10;
    assert_true(hd_cache_known(&c, &v));
    v.last = 0;
    assert_false(hd_cache_known(&c, &v)); /* the old visit is gone */
}

static void a_full_table_keeps_what_it_has(void **state)
{
    struct hd_cache c = fresh_cache(1);
    uint64_t room = (1u << 20) / sizeof(struct hd_cache_entry), kept = 0;

    (void)state;
    for (uint64_t k = 0; k < 2 * room; k++) {
        struct hd_cache_visit v = visit(hd_hash_spread(k), k, 0, 0);

        assert_false(hd_cache_known(&c, &v));
    }
    for (uint64_t k = 0; k < 2 * room; k++) {
        struct hd_cache_visit v = visit(hd_hash_spread(k), 2 * room + k, 0, 0);

        kept += hd_cache_known(&c, &v);
    }
    assert_true(kept >= room * 3 / 4 && kept < room);
}

static void a_search_with_a_full_cache_is_complete(void **state)
{
    /* nothing is independent: 12! / (4!)^3 classes, more than there is room for */
    static const struct program p = { .start = 3, .op = {
        { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
        { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
        { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
    } };
    struct explored e = explore_program(&p, "dfs+cache:cache=1", -1);

    (void)state;
    assert_int_equal(e.complete, 1);
    assert_int_equal(e.executions, 34650);
}

/* ---- +lazycache ---------------------------------------------------------------------------- */

/* Sections in either order are one class, and stay so when other mutexes are tried. */
static void sections_that_share_nothing_are_one_class(void **state)
{
    static const struct program p = { .start = 3, .op = {
        { LOCK(0), ADD(0, 1), UNLOCK(0) }, { LOCK(0), ADD(1, 1), UNLOCK(0) },
        { LOCK(0), ADD(2, 1), UNLOCK(0) } } };

    (void)state;
    assert_int_equal(explore_program(&p, "dfs+cache", -1).executions, 6);
    assert_int_equal(explore_program(&p, "dfs+lazycache", -1).executions, 1);
    assert_int_equal(explore_program(&p, "ipb+lazycache", -1).executions, 1);
}

/* The first execution shows that the mutex is tried (trylock).  The search starts again and then counts the classes
 * of the full relation. */
static void a_mutex_that_is_tried_keeps_its_order(void **state)
{
    static const struct program p = { .start = 3, .op = {
        { LOCK(0), ADD(0, 1), UNLOCK(0) }, { LOCK(0), ADD(1, 1), UNLOCK(0) },
        { { OP_TRYLOCK, 0, 0, 0 }, SKIP_NE(1, 1), UNLOCK(0) } } };
    struct explored full = explore_program(&p, "dfs+cache", -1);
    struct explored lazy = explore_program(&p, "dfs+lazycache", -1);

    (void)state;
    assert_true(full.executions > 6);
    assert_int_equal(lazy.executions, full.executions);
    assert_int_equal(lazy.complete, 1);
}

static void without_plain_accesses_the_lazy_cache_is_refused(void **state)
{
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_abba, "dfs+cache", -1, 1);
    x.cfg.reducer = HD_REDUCE_LAZYCACHE;
    x.cfg.plain_events = false;
    assert_false(hd_search_open(&x.search, x.ops, &x.cfg, &x.campaign, &x.exec));
    x.cfg.reducer = HD_REDUCE_CACHE;
    assert_true(hd_search_open(&x.search, x.ops, &x.cfg, &x.campaign, &x.exec));
    explorer_close(&x);
}

static void parameters(void **state)
{
    static const struct { const char *params; enum hd_reducer reducer; bool want; } rows[] = {
        { "", HD_REDUCE_CACHE, true },         { "cache=1", HD_REDUCE_CACHE, true },
        { "cache=0", HD_REDUCE_CACHE, false }, { "cache=x", HD_REDUCE_CACHE, false },
        { "cache=16385", HD_REDUCE_CACHE, false },
        { "cache=1", HD_REDUCE_NONE, false },  { "cache=1,d=2", HD_REDUCE_CACHE, false },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct explorer x;

        explorer_open(&x, &prog_abba, "dfs", -1, 1);
        x.cfg.params = rows[r].params;
        x.cfg.reducer = rows[r].reducer;
        EXPECT_EQ(rows[r].params,
                  hd_search_open(&x.search, x.ops, &x.cfg, &x.campaign, &x.exec), rows[r].want);
        explorer_close(&x);
    }
}

/* ---- why the last thread belongs to an entry --------------------------------------------- */

#define MAX_CLASSES 2000

struct bounded {
    struct hd_cache cache;
    bool use_cache;
    bool count_only;
    unsigned bound;
    uint64_t visits;
    struct hd_event event[256];
    uint32_t nevents;
    uint64_t class[MAX_CLASSES];
    unsigned n;
};

static void add_class(struct bounded *b, uint64_t hash)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->class[i] == hash)
            return;
    assert_true(b->n < MAX_CLASSES);
    b->class[b->n++] = hash;
}

/* All schedules of at most so many preemptions by plain recursion, which leaves the
 * states that the cache knows. */
static void explore(struct bounded *b, const struct prog_state *s, unsigned cost)
{
    uint64_t hash = oracle_hash(b->event, b->nevents, s->script);
    bool goes_on = prog_enabled(s, s->last);
    uint32_t before = b->nevents;

    if (prog_over(s)) {
        add_class(b, hash);
        return;
    }
    struct hd_cache_visit v = visit(hash, b->visits++, cost,
                                    b->count_only || !goes_on ? HD_CACHE_ANY : s->last);

    if (b->use_cache && hd_cache_known(&b->cache, &v))
        return;
    for (unsigned i = 0; i < s->created; i++) {
        unsigned t = (s->last + i) % s->created, more = goes_on && t != s->last;
        struct prog_state after = *s;

        if (!prog_enabled(s, t) || cost + more > b->bound)
            continue;
        b->nevents += prog_step_log(&after, t, &b->event[b->nevents]);
        explore(b, &after, cost + more);
        b->nevents = before;
    }
}

static unsigned classes(const struct program *p, unsigned bound, bool use_cache, bool count_only)
{
    static struct bounded b;
    struct prog_state s;

    b = (struct bounded){ .cache = fresh_cache(1), .use_cache = use_cache,
                          .count_only = count_only, .bound = bound };
    prog_start(&s, p);
    explore(&b, &s, 0);
    return b.n;
}

/* The write of cell 1 comes before, between, or after the other thread's two accesses.
 * In between, with one preemption: READ | WRITE(0), WRITE(1) | WRITE(1).  After READ
 * and WRITE(0) the state is that of WRITE(0) | READ, visited earlier and also at cost
 * 1; but there the second thread had to go on. */
static void the_count_alone_loses_a_class(void **state)
{
    static const struct program p = { .op = { { CREATE_ALL(1, 2) },
                                              { WRITE(0, 1), WRITE(1, 1) },
                                              { READ(1), WRITE(1, 2) } } };

    (void)state;
    assert_int_equal(classes(&p, 1, false, false), 3);
    assert_int_equal(classes(&p, 1, true, false), 3);
    assert_int_equal(classes(&p, 1, true, true), 2);
    assert_int_equal(explore_program(&p, "ipb+cache", 1).executions, 3);
}

static void the_rule_loses_none(void **state)
{
    unsigned lost = 0, lost_by_count = 0;

    (void)state;
    for (uint64_t i = 0; i < 300; i++)
        for (unsigned bound = 0; bound <= 2; bound++) {
            struct program p;

            generate(&p, GENERATE_MEMORY, 5, i);
            unsigned want = classes(&p, bound, false, false);

            lost += want - classes(&p, bound, true, false);
            lost_by_count += want - classes(&p, bound, true, true);
        }
    assert_int_equal(lost, 0);
    assert_true(lost_by_count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_visit_is_covered_by_the_same_thread_or_a_cheaper_one),
        cmocka_unit_test(visits_add_up),
        cmocka_unit_test(later_executions_find_what_earlier_ones_entered),
        cmocka_unit_test(entries_of_an_earlier_pass_do_not_count),
        cmocka_unit_test(a_full_table_keeps_what_it_has),
        cmocka_unit_test(a_search_with_a_full_cache_is_complete),
        cmocka_unit_test(sections_that_share_nothing_are_one_class),
        cmocka_unit_test(a_mutex_that_is_tried_keeps_its_order),
        cmocka_unit_test(without_plain_accesses_the_lazy_cache_is_refused),
        cmocka_unit_test(parameters),
        cmocka_unit_test(the_count_alone_loses_a_class),
        cmocka_unit_test(the_rule_loses_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
