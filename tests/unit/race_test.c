/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_test.c - the race detector against the definition.
 *
 * Of random traces (support/race_trace.h) the first race of every byte must be reported where
 * it happens, with the right partner, and no byte without one. */
#include "support/unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "detect/race.h"
#include "support/race_trace.h"

#define MEMORY memory_of(running_seed)

/* Cells are split for good: a few traces use the same memory, the next ones other memory. */
static uint64_t running_seed;

static uintptr_t memory_of(uint64_t seed)
{
    return 0x7000 + seed / 4 * 32;
}

/* ---- comparing ---------------------------------------------------------------------- */

static const struct trace *running;
static uint32_t nth; /* line of it */

struct seen {
    unsigned line[BYTES]; /* second access of the first report on the byte; EVENTS none */
    unsigned partner[BYTES];
};

static void note(void *ctx, const struct hd_race *race)
{
    struct seen *s = ctx;
    unsigned first = (unsigned)(race->first.pc - 1000), second = (unsigned)(race->second.pc - 1000);

    assert_int_equal(second, nth);
    assert_int_equal(race->second.position, nth);
    assert_true(race->first.position <= first);
    assert_int_equal(race->first.tid, running->line[first].e.tid);
    assert_int_equal(race->second.tid, running->line[second].e.tid);
    for (unsigned b = (unsigned)(race->addr - MEMORY); b < race->addr - MEMORY + race->size; b++)
        if (s->line[b] == EVENTS) {
            s->line[b] = second;
            s->partner[b] = first;
        }
}

static void detect(struct hd_races *r, const struct trace *t)
{
    r->clocks.events = &nth;
    running = t;
    hd_races_begin(r);
    for (nth = 0; nth < t->n; nth++) {
        const struct line *l = &t->line[nth];

        if (l->size != 0 && l->e.obj == 0 && r->all_pairs)
            hd_races_access_slow(r, l->e.tid, MEMORY + l->at, l->size, hd_trace_writes(l), l->e.pc);
        else if (l->size != 0 && l->e.obj == 0)
            hd_races_access(r, l->e.tid, MEMORY + l->at, l->size, hd_trace_writes(l), l->e.pc);
        else
            hd_races_event(r, &l->e, MEMORY + l->at);
    }
}

static void compare_byte(const struct trace *t, const lines *before, const struct seen *s,
                         unsigned byte, uint64_t seed, unsigned *races)
{
    lines with;
    unsigned want = hd_trace_first_race(t, before, byte, &with);

    *races += want < t->n;
    if (s->line[byte] != want)
        fail_msg("trace %llu, byte %u: race at line %u, reported at %u (%u: none)",
                 (unsigned long long)seed, byte, want, s->line[byte], EVENTS);
    /* A pc stands for the latest access of its segment: the same segment is enough. */
    if (want < t->n && t->line[s->partner[byte]].e.tid >= THREADS)
        fail_msg("trace %llu, byte %u: no such partner", (unsigned long long)seed, byte);
    bool partner_races = false;

    for (unsigned k = 0; want < t->n && k < t->n; k++)
        partner_races |= with >> k & 1 && t->line[k].e.tid == t->line[s->partner[byte]].e.tid;
    if (want < t->n && !partner_races)
        fail_msg("trace %llu, byte %u: line %u does not race with line %u's thread",
                 (unsigned long long)seed, byte, want, s->partner[byte]);
}

static struct hd_races races;
static struct seen seen;

static int open_races(void **state)
{
    static struct hd_arena arena;

    (void)state;
    arena.size = UINT64_C(1) << 31;
    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    hd_races_init(&races, &arena, OBJECTS, 1 << 14, note, &seen);
    return arena.base == MAP_FAILED;
}

static void the_first_race_of_every_byte_and_no_other(void **state)
{
    const char *deep = getenv("HEDDLE_DEEP");
    uint64_t traces = deep != NULL && deep[0] == '1' ? 1000000 : 20000;
    unsigned found = 0, none = 0;

    (void)state;
    for (uint64_t seed = 0; seed < traces; seed++) {
        struct trace t;
        lines before[EVENTS];
        unsigned in_trace = 0;

        hd_trace_make(&t, seed, WILD);
        hd_trace_order(&t, before);
        for (unsigned b = 0; b < BYTES; b++)
            seen.line[b] = EVENTS;
        running_seed = seed;
        races.all_pairs = seed % 16 > 11;
        detect(&races, &t);
        races.all_pairs = false;
        for (unsigned b = 0; b < BYTES; b++)
            compare_byte(&t, before, &seen, b, seed, &in_trace);
        found += in_trace;
        none += BYTES - in_trace;
    }
    assert_true(found > traces && none > traces); /* both kinds are frequent */
}

/* By the newer rule as by the older one; and where the rule is open, whether it matters is
 * told. */
static void release_sequences_by_the_standard(void **state)
{
    enum { TRACES = 5000 };
    unsigned found = 0, relied = 0;

    (void)state;
    for (uint64_t seed = 100000; seed < 100000 + TRACES; seed++) {
        struct trace t;
        lines older[EVENTS], newer[EVENTS];

        hd_trace_make(&t, seed, WILD);
        hd_trace_order(&t, older);
        t.since_cxx20 = true;
        hd_trace_order(&t, newer);
        for (unsigned b = 0; b < BYTES; b++)
            seen.line[b] = EVENTS;
        running_seed = seed;
        races.clocks.rule = HD_RELEASE_ENDED;
        detect(&races, &t);
        for (unsigned b = 0; b < BYTES; b++)
            compare_byte(&t, newer, &seen, b, seed, &found);
        for (unsigned b = 0; b < BYTES; b++)
            seen.line[b] = EVENTS;
        races.clocks.rule = HD_RELEASE_OPEN;
        detect(&races, &t);
        for (unsigned b = 0; b < BYTES; b++)
            compare_byte(&t, older, &seen, b, seed, &found);
        if (memcmp(older, newer, t.n * sizeof *older) != 0 && !races.clocks.relied)
            fail_msg("trace %llu: the rules differ, and nothing is told", (unsigned long long)seed);
        relied += races.clocks.relied;
    }
    races.clocks.rule = HD_RELEASE_CONTINUED;
    assert_true(found > TRACES && relied > TRACES / 100 && relied < TRACES);
}

/* Numbers of segments run out after 2^32: what is remembered by number is forgotten. */
static void numbers_may_begin_again(void **state)
{
    struct trace t;
    struct seen first;

    (void)state;
    hd_trace_make(&t, 7, WILD);
    for (unsigned b = 0; b < BYTES; b++)
        seen.line[b] = EVENTS;
    detect(&races, &t);
    first = seen;
    races.clocks.next = UINT32_MAX - HD_CLOCKS_SEGMENTS;
    for (unsigned b = 0; b < BYTES; b++)
        seen.line[b] = EVENTS;
    detect(&races, &t);
    assert_memory_equal(&first.line, &seen.line, sizeof seen.line);
    assert_true(races.clocks.next < 1000);
}

/* ---- ranges ------------------------------------------------------------------------- */

enum { RANGE = 9000, HOLE = 4321 }; /* more than two pages; one byte that is not written before */

static struct hd_races ranges;
static uint64_t range_end;
static unsigned range_reports;
static uint64_t partners; /* sum of the pcs of the first accesses */

static void note_range(void *ctx, const struct hd_race *race)
{
    (void)ctx;
    range_reports++;
    partners += race->first.pc;
    if (ranges.all_pairs) {
        assert_int_equal(race->size, 16);
        return;
    }
    assert_int_equal(race->addr, range_end == MEMORY + HOLE ? range_end + 1 : range_end);
    range_end = race->addr + race->size;
}

static int open_ranges(void **state)
{
    static struct hd_arena arena;

    (void)state;
    arena.size = UINT64_C(1) << 31;
    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena.base == MAP_FAILED)
        return -1;
    ranges = (struct hd_races){ 0 };
    hd_races_init(&ranges, &arena, OBJECTS, 1024, note_range, NULL);
    return 0;
}

/* Nothing orders them: every byte races but one, whatever cells and pages they are in, and
 * what meets in many of them is one race. */
static void a_range_is_checked_whole(void **state)
{
    (void)state;
    for (unsigned start = 0; start < 8; start++) {
        uintptr_t at = MEMORY + start, hole = MEMORY + HOLE;

        hd_races_begin(&ranges);
        hd_races_access(&ranges, 0, at, hole - at, true, 1);
        hd_races_access(&ranges, 0, hole + 1, MEMORY + RANGE - hole - 1, true, 1);
        range_end = at;
        range_reports = 0;
        hd_races_access(&ranges, 1, at, MEMORY + RANGE - at, start % 2 == 0, 2);
        assert_int_equal(range_end, MEMORY + RANGE);
        assert_int_equal(range_reports, 2);
    }
}

/* Neighbours that one segment writes from two places, in a cell and in a part of one: the
 * race is with the place that wrote its bytes. */
static void bytes_keep_the_place_they_came_from(void **state)
{
    (void)state;
    for (unsigned size = 4; size > 0; size /= 2)
        for (unsigned write = 0; write < 2; write++) {
            hd_races_begin(&ranges);
            hd_races_access(&ranges, 0, MEMORY, size, write == 1, 1);
            hd_races_access(&ranges, 0, MEMORY + size, size, write == 1, 20);
            range_end = MEMORY;
            range_reports = 0;
            partners = 0;
            hd_races_access(&ranges, 1, MEMORY, size, true, 300);
            assert_int_equal(range_reports, 1);
            assert_int_equal(partners, 1);
        }
}

/* A cell of two parts gets smaller ones by a smaller access: nothing is lost, and what all of
 * them hold is still told with its place. */
static void parts_may_become_smaller(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= 2; size++) {
        uintptr_t at = MEMORY + 8 * size; /* a cell of its own */

        hd_races_begin(&ranges);
        hd_races_access(&ranges, 0, at, 4, true, 1);
        hd_races_access(&ranges, 0, at + 4, 4, true, 20);
        hd_clocks_cut(&ranges.clocks, 0);
        hd_races_access(&ranges, 0, at, size, true, 300);
        range_end = at;
        range_reports = 0;
        partners = 0;
        hd_races_access(&ranges, 1, at, 8, true, 4000);
        assert_int_equal(range_end, at + 8);
        assert_int_equal(range_reports, 3);
        assert_int_equal(partners, 321);
    }
}

/* A caller that asks for all pairs gets each access of a segment, also of a read after a write of
 * the same, and of each pair once, though it meets in four parts. */
static void of_all_pairs_none_is_left_out(void **state)
{
    (void)state;
    ranges.all_pairs = true;
    for (unsigned again = 0; again < 3; again++) { /* from the second on the cells are split */
        hd_races_begin(&ranges);
        range_reports = 0;
        partners = 0;
        hd_races_access_slow(&ranges, 0, MEMORY, 16, true, 1);
        hd_races_access_slow(&ranges, 0, MEMORY, 16, false, 20);
        hd_races_access_slow(&ranges, 1, MEMORY, 16, true, 300);
        assert_int_equal(range_reports, 2);
        assert_int_equal(partners, 21);
    }
}

/* Two functions of the same shape race at many places that are equally far apart: these
 * are different races. */
static void pairs_at_the_same_distance_differ(void **state)
{
    enum { PAIRS = 64 };
    uint64_t pair[PAIRS];

    (void)state;
    for (unsigned i = 0; i < PAIRS; i++) {
        struct hd_race race = { .first.pc = 0x1300 + 8 * i, .second.pc = 0x1390 + 8 * i };
        struct hd_race other = { .first.pc = race.second.pc, .second.pc = race.first.pc };

        pair[i] = hd_race_pair(&race);
        assert_true(hd_race_pair(&other) == pair[i]);
        for (unsigned k = 0; k < i; k++)
            assert_true(pair[k] != pair[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_at_the_same_distance_differ),
        cmocka_unit_test(the_first_race_of_every_byte_and_no_other),
        cmocka_unit_test(release_sequences_by_the_standard),
        cmocka_unit_test(numbers_may_begin_again),
        cmocka_unit_test_setup(a_range_is_checked_whole, open_ranges),
        cmocka_unit_test_setup(bytes_keep_the_place_they_came_from, open_ranges),
        cmocka_unit_test_setup(parts_may_become_smaller, open_ranges),
        cmocka_unit_test_setup(of_all_pairs_none_is_left_out, open_ranges),
    };

    return cmocka_run_group_tests(tests, open_races, NULL);
}
