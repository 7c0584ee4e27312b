/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parts_test.c - reductions on programs that are too large for the oracle.
 *
 * Of two or three random parts that have nothing to do with each other (compose.h) the
 * oracle knows each; the numbers of the whole are their products.  What a reduction leaves
 * for later in one part always holds steps of the others, in some order of their races:
 * small programs, in which all threads use the same few objects, do not show what becomes
 * of these.  And programs of four to six threads that share all objects, where different
 * searches have to agree with each other.
 *
 * HEDDLE_ORACLE_PROGRAMS  how many (HEDDLE_DEEP=1: 10,000)
 * HEDDLE_ORACLE_STRATEGY  only this one
 * HEDDLE_ORACLE_FIRST     number of the first program */
#include "support/unit.h"

#include "oracle/compose.h"
#include "oracle/judge.h"
#include "oracle/print_c.h"
#include "oracle/shrink.h"
#include "support/crew.h"

#define LARGE 500 /* classes; what has more is passed over */
#define LIMIT (100 * LARGE)

struct whole {
    struct program part[COMPOSE_PARTS];
    unsigned n;
    uint64_t order; /* of the threads */
};

struct truth {
    uint64_t classes, states;
    uint64_t sound; /* classes without a deadlock */
};

struct claim {
    const char *spec;
    unsigned promises; /* enum judge_promise */
    int64_t bound;
    bool shared;       /* by several workers, which are cut off and started anew */
};

#define ONCE (JUDGE_CLASSES | JUDGE_ONCE)
#define OPTIMAL (ONCE | JUDGE_LEAN)
#define ALL_PREEMPTIONS 200 /* no execution is as long as that */

static const struct claim claims[] = {
    { "dpor-optimal", OPTIMAL, -1, false },
    { "dpor-optimal:check=1", OPTIMAL, -1, false },
    { "dpor", ONCE, -1, false },
    { "dpor-classic", ONCE, -1, false },
    { "dpor-lazy", JUDGE_STATES, -1, false },
    { "bpor-lazy", ONCE, ALL_PREEMPTIONS, false },
    { "dpor-optimal:check=1", OPTIMAL, -1, true },
    { "dpor", ONCE, -1, true },
    { "dpor-classic", ONCE, -1, true },
};

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *n = getenv(name);

    return n != NULL ? strtoull(n, NULL, 10) : otherwise;
}

static uint64_t programs(uint64_t otherwise)
{
    const char *deep = getenv("HEDDLE_DEEP");

    return number("HEDDLE_ORACLE_PROGRAMS", deep != NULL && deep[0] == '1' ? 10000 : otherwise);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Threads that do no more than race for one cell. */
static void racers(struct program *p, struct hd_rng *rng)
{
    static const struct prog_op race[] = { { OP_WRITE, 0, 1, 0 }, { OP_ADD, 0, 1, 0 },
                                           { OP_CAS, 0, 0, 1 },   { OP_READ, 0, 0, 0 } };

    memset(p, 0, sizeof *p);
    p->start = (uint8_t)(2 + hd_rng_below(rng, 3));
    for (unsigned t = 0; t < p->start; t++)
        p->op[t][0] = race[t == 0 ? 0 : hd_rng_below(rng, COUNT_OF(race))];
}

/* Without atomic sections: the parts' objects have numbers far apart, of which some share a bit
 * (hd_touched), and then classes are repeated. */
static void random_whole(struct whole *w, uint64_t i)
{
    struct hd_rng rng = hd_rng_for(23, i);

    w->n = 2 + hd_rng_below(&rng, COMPOSE_PARTS - 1);
    w->order = i;
    for (unsigned k = 0; k < w->n; k++)
        if (hd_rng_below(&rng, 3) == 0)
            racers(&w->part[k], &rng);
        else
            generate(&w->part[k], hd_rng_below(&rng, GENERATE_ATOMIC), 29, 3 * i + k);
}

static bool whole_program(struct program *p, const struct whole *w)
{
    return compose_apart(p, w->part, w->n, w->order);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static uint64_t states_of(const struct oracle *o)
{
    static uint64_t state[LARGE];
    uint64_t n = 0;

    for (unsigned i = 0; i < o->n; i++)
        state[i] = o->class[i].state;
    qsort(state, o->n, sizeof state[0], by_number);
    for (unsigned i = 0; i < o->n; i++)
        n += i == 0 || state[i] != state[i - 1];
    return n;
}

/* False: too large. */
static bool find_truth(struct truth *t, const struct whole *w)
{
    *t = (struct truth){ 1, 1, 1 };
    for (unsigned k = 0; k < w->n; k++) {
        const struct oracle *o = judge_oracle(&w->part[k]);
        uint64_t sound = 0;

        if (o == NULL || t->classes * o->n > LARGE)
            return false;
        for (unsigned i = 0; i < o->n; i++)
            sound += !o->class[i].deadlock;
        t->classes *= o->n;
        t->sound *= sound;
        t->states *= states_of(o);
    }
    return true;
}

/* ---- its judgement --------------------------------------------------------------------------- */

static bool keeps(const struct claim *c, const struct tally *got, const struct truth *t)
{
    bool kept = got->over && got->complete;

    if (c->promises & JUDGE_CLASSES)
        kept &= got->nset == t->classes;
    if (c->promises & JUDGE_STATES)
        kept &= got->nstates == t->states;
    if (c->promises & JUDGE_ONCE)
        kept &= got->executions == t->classes && got->buggy == t->classes - t->sound;
    if (c->promises & JUDGE_LEAN)
        kept &= got->redundant == 0;
    return kept;
}

static struct tally explore(const struct program *p, const struct claim *c)
{
    static struct crew crew = { .trouble = true };
    struct hd_rng rng = hd_rng_for(31, p->start);

    if (!c->shared)
        return crew_alone(p, c->spec, c->bound, LIMIT);
    crew.greedy = hd_rng_below(&rng, 2) == 0;
    return crew_explore(&crew, 2 + hd_rng_below(&rng, 3), p, c->spec, c->bound, &rng);
}

/* Of a whole that has failed: the part in hand is being shrunk. */
struct failure {
    const struct claim *claim;
    struct whole whole;
    unsigned part;
};

static bool fails_with(const struct program *part, const void *ctx)
{
    struct failure f = *(const struct failure *)ctx;
    struct truth t;
    struct program p;

    f.whole.part[f.part] = *part;
    if (!find_truth(&t, &f.whole) || !whole_program(&p, &f.whole))
        return false;
    struct tally got = explore(&p, f.claim);

    return !keeps(f.claim, &got, &t);
}

static void show(const struct whole *w, const struct claim *c, uint64_t i)
{
    struct failure f = { .claim = c, .whole = *w };
    struct program p;
    struct truth t;

    for (f.part = 0; f.part < w->n; f.part++) {
        struct program part = f.whole.part[f.part];

        shrink(&part, fails_with, &f);
        f.whole.part[f.part] = part;
    }
    find_truth(&t, &f.whole);
    whole_program(&p, &f.whole);
    struct tally got = explore(&p, c);

    fprintf(stderr, "program %llu, shrunk: %s%s: classes %llu of %llu, executions %llu, "
            "redundant %llu, buggy %llu of %llu, states %llu of %llu, complete %d\n",
            (unsigned long long)i, c->spec, c->shared ? ", shared" : "",
            (unsigned long long)got.nset, (unsigned long long)t.classes,
            (unsigned long long)got.executions, (unsigned long long)got.redundant,
            (unsigned long long)got.buggy, (unsigned long long)(t.classes - t.sound),
            (unsigned long long)got.nstates, (unsigned long long)t.states, got.complete);
    generate_print(&p, stderr);
    print_c(&p, stderr);
}

static bool is_chosen(const struct claim *c)
{
    const char *only = getenv("HEDDLE_ORACLE_STRATEGY");

    return only == NULL || strcmp(only, c->spec) == 0;
}

static void what_parts_can_do_multiplies(void **state)
{
    uint64_t n = programs(120), judged = 0, broken[COUNT_OF(claims)] = { 0 }, classes = 0;
    uint64_t first = number("HEDDLE_ORACLE_FIRST", 0), sum = 0;

    (void)state;
    for (uint64_t i = first; judged < n && i < first + 4 * n; i++) {
        struct whole w;
        struct truth t;
        struct program p;

        random_whole(&w, i);
        if (!find_truth(&t, &w) || t.classes < 4 || !whole_program(&p, &w))
            continue;
        judged++;
        classes += t.classes;
        for (size_t k = 0; k < COUNT_OF(claims); k++) {
            if (!is_chosen(&claims[k]))
                continue;
            struct tally got = explore(&p, &claims[k]);

            if (!keeps(&claims[k], &got, &t) && broken[k]++ < 1)
                show(&w, &claims[k], i);
        }
    }
    for (size_t k = 0; k < COUNT_OF(claims); k++) {
        if (is_chosen(&claims[k]))
            printf("parts: %s%s: programs %llu classes %llu broken %llu\n", claims[k].spec,
                   claims[k].shared ? ", shared" : "", (unsigned long long)judged,
                   (unsigned long long)classes, (unsigned long long)broken[k]);
        sum += broken[k];
    }
    assert_int_equal(judged, n);
    EXPECT_EQ("programs for which a promise was broken", sum, 0);
}

/* ---- together -------------------------------------------------------------------------------- */

/* The number is not known; but the two computations are independent. */
static bool agree(const struct program *p, uint64_t *classes)
{
    static const struct claim with[] = {
        { "dpor", ONCE, -1, false }, { "dpor-classic", ONCE, -1, false },
        { "dfs+cache:cache=18", ONCE, -1, false }, { "bpor-lazy", ONCE, ALL_PREEMPTIONS, false },
        { "dpor-optimal:check=1", OPTIMAL, -1, false }, { "dpor-optimal", OPTIMAL, -1, true },
    };
    struct tally one = crew_alone(p, "dpor-optimal", -1, LARGE);
    bool same = one.redundant == 0 && one.nset == one.executions && one.complete;

    *classes = one.nset;
    for (size_t k = 0; k < COUNT_OF(with) && one.over; k++) {
        struct tally other = explore(p, &with[k]);

        if (!other.over) /* there are many more schedules than classes */
            continue;
        if (other.set == one.set && other.nset == one.nset && other.buggy == one.buggy)
            continue;
        fprintf(stderr, "%s: %llu classes, dpor-optimal %llu\n", with[k].spec,
                (unsigned long long)other.nset, (unsigned long long)one.nset);
        same = false;
    }
    return same || !one.over;
}

static void searches_agree_where_threads_are_more(void **state)
{
    uint64_t n = programs(120), classes = 0, large = 0, broken = 0;

    (void)state;
    for (uint64_t i = number("HEDDLE_ORACLE_FIRST", 0), end = i + n; i < end; i++) {
        enum generate_family f = i % GENERATE_COUNT;
        struct program p, part[2];
        uint64_t found;

        generate(&part[0], f, 37, 2 * i);
        generate(&part[1], f, 37, 2 * i + 1);
        compose_together(&p, part, 2, i);
        if (!agree(&p, &found) && broken++ < 2)
            generate_print(&p, stderr);
        classes += found;
        large += found == LARGE;
    }
    printf("together: programs %llu classes %llu too large %llu broken %llu\n",
           (unsigned long long)n, (unsigned long long)classes, (unsigned long long)large,
           (unsigned long long)broken);
    EXPECT_EQ("programs for which searches differ", broken, 0);
    assert_true(3 * large < 2 * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_parts_can_do_multiplies),
        cmocka_unit_test(searches_agree_where_threads_are_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
