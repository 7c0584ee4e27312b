/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hbr_test.c - the hash of the happens-before relation tells exactly the classes
 * apart that the oracle's quadratic definition does; the lazy one the classes of the
 * literature. */
#include "support/unit.h"

#include <sys/mman.h>

#include "oracle/generate.h"
#include "oracle/oracle.h"
#include "search/core/hbr.h"
#include "support/explorer.h"
#include "support/programs.h"

#define MAX_SEEN 5000
#define ARENA_BYTES (UINT64_C(1) << 28)

struct pair {
    uint64_t a, b;
};

struct seen {
    struct hd_hbr hbr;
    struct hd_arena arena;
    struct pair pair[MAX_SEEN];
    unsigned n;
};

static void open_seen(struct seen *s, bool lazy)
{
    memset(s, 0, sizeof *s);
    s->arena = (struct hd_arena){ .size = ARENA_BYTES };
    s->arena.base = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(s->arena.base != MAP_FAILED);
    hd_hbr_init(&s->hbr, &s->arena, NULL, lazy, NULL);
}

static void collect(struct explorer *x, void *ctx)
{
    struct seen *s = ctx;

    s->hbr.exec = &x->exec;
    hd_hbr_begin(&s->hbr, 0, 0);
    hd_hbr_update(&s->hbr);
    assert_int_equal(s->hbr.nevents, x->exec.nevents);
    assert_true(s->n < MAX_SEEN);
    s->pair[s->n++] = (struct pair){
        oracle_hash(x->exec.events, x->exec.nevents, x->state.script), s->hbr.sum.lo };
}

static void all_schedules(struct seen *s, const struct program *p)
{
    struct explorer x;

    s->n = 0;
    explorer_open(&x, p, "dfs", -1, 1);
    x.seen = collect;
    x.ctx = s;
    explorer_all(&x, MAX_SEEN);
    explorer_close(&x);
}

static int by_a(const void *x, const void *y)
{
    const struct pair *p = x, *q = y;

    return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b != q->b ? (p->b < q->b ? -1 : 1) : 0;
}

/* How many different values a has; fails when two of the same a have another b. */
static unsigned classes(struct seen *s, const char *what)
{
    unsigned n = 0;

    qsort(s->pair, s->n, sizeof s->pair[0], by_a);
    for (unsigned i = 0; i < s->n; i++) {
        bool same = i > 0 && s->pair[i].a == s->pair[i - 1].a;

        if (same)
            EXPECT_EQ(what, s->pair[i].b, s->pair[i - 1].b);
        n += !same;
    }
    return n;
}

static void swap(struct seen *s)
{
    for (unsigned i = 0; i < s->n; i++)
        s->pair[i] = (struct pair){ s->pair[i].b, s->pair[i].a };
}

static void classes_are_those_of_the_oracle(void **state)
{
    static struct seen s;
    unsigned more_than_one = 0;

    (void)state;
    open_seen(&s, false);
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        for (uint64_t i = 0; i < 40; i++) {
            struct program p;

            generate(&p, f, 7, i);
            all_schedules(&s, &p);
            unsigned n = classes(&s, generate_name(f));

            swap(&s);
            EXPECT_EQ(generate_name(f), classes(&s, generate_name(f)), n);
            more_than_one += n > 1 && n < s.n;
        }
    assert_true(more_than_one > 200);
    munmap(s.arena.base, ARENA_BYTES);
}

/* Sections of one mutex.  T0: x = 1.  T1: y = 2.  T2, T3: if x == 0 then y = tid. */
static const struct program figure_4_1 = { .start = 4, .op = {
    { LOCK(0), WRITE(0, 1), UNLOCK(0) },
    { LOCK(0), WRITE(1, 2), UNLOCK(0) },
    { LOCK(0), READ(0), SKIP_NE(1, 0), WRITE(1, 3), UNLOCK(0) },
    { LOCK(0), READ(0), SKIP_NE(1, 0), WRITE(1, 4), UNLOCK(0) },
} };

static int by_size(const void *x, const void *y)
{
    return *(const int *)y - *(const int *)x;
}

static void figure_4_1_has_24_classes_and_11_lazy_ones(void **state)
{
    static struct seen s;
    static const int want[11] = { 8, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1 };
    int size[24] = { 0 };
    unsigned n = 0;

    (void)state;
    open_seen(&s, true);
    all_schedules(&s, &figure_4_1);
    assert_int_equal(s.n, 24);
    swap(&s);
    qsort(s.pair, s.n, sizeof s.pair[0], by_a);
    for (unsigned i = 0; i < s.n; i++) {
        n += i > 0 && s.pair[i].a != s.pair[i - 1].a;
        size[n]++;
    }
    qsort(size, COUNT_OF(size), sizeof size[0], by_size);
    assert_int_equal(n + 1, 11);
    assert_memory_equal(size, want, sizeof want);
    munmap(s.arena.base, ARENA_BYTES);
}

/* Both orders of two sections that share nothing, as events. */
static struct hd_hash128 two_sections(struct seen *s, unsigned first, enum hd_kind lock,
                                      uint64_t restarted)
{
    static struct hd_execution x;
    struct hd_event e[4];

    for (unsigned i = 0; i < 4; i++)
        e[i] = (struct hd_event){ .tid = (hd_tid)(i / 2 == 0 ? first : 1 - first), .obj = 20,
                                  .kind = i % 2 == 0 ? (uint8_t)lock : HD_EV_MUTEX_UNLOCK };
    x.events = e;
    x.nevents = 4;
    x.threads[1].slot = 1;
    s->hbr.exec = &x;
    hd_hbr_begin(&s->hbr, restarted, 0);
    hd_hbr_update(&s->hbr);
    return s->hbr.sum;
}

static void the_order_of_sections_counts_once_trylock_was_seen(void **state)
{
    static struct seen s;
    struct hd_hash128 ab, ba;

    (void)state;
    open_seen(&s, true);
    ab = two_sections(&s, 0, HD_EV_MUTEX_LOCK, 0);
    ba = two_sections(&s, 1, HD_EV_MUTEX_LOCK, 0);
    assert_memory_equal(&ab, &ba, sizeof ab);
    assert_false(s.hbr.discovered);
    two_sections(&s, 0, HD_EV_MUTEX_TRYLOCK, 0);
    assert_true(s.hbr.discovered);
    /* not yet: the executions before went by the coarser relation */
    ab = two_sections(&s, 0, HD_EV_MUTEX_LOCK, 0);
    assert_memory_equal(&ab, &ba, sizeof ab);
    ab = two_sections(&s, 0, HD_EV_MUTEX_LOCK, 1);
    ba = two_sections(&s, 1, HD_EV_MUTEX_LOCK, 1);
    assert_memory_not_equal(&ab, &ba, sizeof ab);
    two_sections(&s, 0, HD_EV_MUTEX_TRYLOCK, 1);
    assert_false(s.hbr.discovered); /* known */
    munmap(s.arena.base, ARENA_BYTES);
}

static void a_mutex_that_others_release_is_no_longer_left_out(void **state)
{
    static struct seen s;
    static struct hd_execution x;
    struct hd_event e[] = { { .tid = 0, .kind = HD_EV_MUTEX_LOCK, .obj = 20 },
                            { .tid = 1, .kind = HD_EV_MUTEX_UNLOCK, .obj = 20 } };

    (void)state;
    open_seen(&s, true);
    x.events = e;
    x.nevents = 2;
    s.hbr.exec = &x;
    hd_hbr_begin(&s.hbr, 0, 0);
    hd_hbr_update(&s.hbr);
    assert_true(s.hbr.discovered);
    munmap(s.arena.base, ARENA_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_oracle),
        cmocka_unit_test(figure_4_1_has_24_classes_and_11_lazy_ones),
        cmocka_unit_test(the_order_of_sections_counts_once_trylock_was_seen),
        cmocka_unit_test(a_mutex_that_others_release_is_no_longer_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
