/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines_test.c - lines of memory (detect/lines.h) before the race detector: what they keep from
 * it is no race by the definition (support/race_trace.h).
 *
 * A campaign is many traces over the same few lines, judged one by one: each must have the
 * reports that it has without lines, or be unsure.  What is unsure is begun again, and as
 * each time a line becomes close, soon is not. */
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "detect/lines.h"
#include "detect/race.h"
#include "support/race_trace.h"

#define CAMPAIGN 64 /* traces over the same lines */

static struct hd_races races;
static struct hd_lines *table;
static uintptr_t memory; /* of the campaign: BYTES that are parts of two lines */
static unsigned reported[BYTES]; /* line of the first report on the byte; EVENTS none */
static unsigned long kept_away, looked_at;

static void note(void *ctx, const struct hd_race *race)
{
    (void)ctx;
    for (size_t b = race->addr - memory; b < race->addr - memory + race->size; b++)
        if (reported[b] == EVENTS)
            reported[b] = (unsigned)(race->second.pc - 1000);
}

static void *map(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    assert_true(p != MAP_FAILED);
    return p;
}

static int open_all(void **state)
{
    static struct hd_arena arena;

    (void)state;
    arena.size = UINT64_C(1) << 31;
    arena.base = map(arena.size);
    hd_races_init(&races, &arena, OBJECTS, 1 << 14, note, NULL);
    table = map(sizeof *table);
    hd_lines_init(table, map(sizeof *table->marks));
    return 0;
}

/* ---- one execution ------------------------------------------------------------------- */

/* As hooks do it: first what needs no more than a glance. */
static void use(hd_tid tid, uintptr_t addr, size_t size, bool write, uint64_t pc, hd_line_use *writing)
{
    if (writing[tid] != 0 && hd_lines_unchanged(table, addr, size, write, writing[tid])) {
        kept_away++;
        return;
    }
    hd_segment now = hd_clocks_segment(&races.clocks, tid);
    bool look;

    for (size_t n; size > 0; addr += n, size -= n) {
        n = hd_lines_use(table, &races.clocks, hd_line_used(now, tid, 0), addr, size, write, &look);
        kept_away += !look;
        looked_at += look;
        if (look)
            hd_races_access(&races, tid, addr, n, write, pc);
    }
    if (table->trusted)
        writing[tid] = hd_line_used(now, tid, HD_LINE_WRITTEN);
}

static void run(const struct trace *t)
{
    hd_line_use writing[THREADS] = { 0 };

    hd_lines_begin(table, hd_races_begin(&races));
    for (unsigned b = 0; b < BYTES; b++)
        reported[b] = EVENTS;
    for (unsigned i = 0; i < t->n; i++) {
        const struct line *l = &t->line[i];

        if (l->size != 0 && l->e.obj == 0) {
            use(l->e.tid, memory + l->at, l->size, hd_trace_writes(l), l->e.pc, writing);
            continue;
        }
        if (l->size != 0)
            hd_lines_share(table, &races.clocks, memory + l->at, l->size);
        hd_races_event(&races, &l->e, memory + l->at);
        memset(writing, 0, sizeof writing);
    }
}

/* ---- campaigns ------------------------------------------------------------------------ */

static struct {
    unsigned long unsure, quiet, racing; /* traces */
} seen;

static void judge(const struct trace *t, uint64_t seed)
{
    lines before[EVENTS], with;
    unsigned found = 0;

    hd_trace_order(t, before);
    for (unsigned b = 0; b < BYTES; b++) {
        unsigned want = hd_trace_first_race(t, before, b, &with);

        found += want < t->n;
        if (reported[b] != want)
            fail_msg("trace %llu, byte %u: race at line %u, reported at %u (%u: none)",
                     (unsigned long long)seed, b, want, reported[b], EVENTS);
    }
    seen.racing += found > 0;
    seen.quiet += found == 0;
}

/* The first traces are all meek, so that lines are quiet when they are trusted. */
static void a_trace_of(uint64_t campaign, unsigned n)
{
    uint64_t seed = campaign * CAMPAIGN + n;
    unsigned attempts = 0;
    struct trace t;

    hd_trace_make(&t, seed, n <= HD_LINES_PATIENCE || n % 4 != 0 ? MEEK : n % 8 == 0 ? WILD : TAME);
    for (run(&t); table->marks->unsure; run(&t)) {
        seen.unsure++;
        assert_true(table->trusted);
        assert_true(++attempts <= 3); /* lines that the memory is in */
        hd_lines_rerun(table->marks);
        table->marks->nunsure = 0; /* otherwise all lines would soon be selected */
    }
    judge(&t, seed);
}

static void what_is_kept_away_is_no_race(void **state)
{
    const char *deep = getenv("HEDDLE_DEEP");
    uint64_t campaigns = deep != NULL && deep[0] == '1' ? 4000 : 400;

    (void)state;
    for (uint64_t c = 0; c < campaigns; c++) {
        memory = 0x10000 + c * 256 + 40 + c % 24; /* across a border */
        table->marks->executions = 0;
        for (unsigned n = 0; n < CAMPAIGN; n++)
            a_trace_of(c, n);
    }
    assert_true(seen.unsure > campaigns / 4);
    assert_true(seen.quiet > campaigns && seen.racing > campaigns);
    assert_true(kept_away > 10 * campaigns && looked_at > 10 * campaigns);
}

/* ---- by hand ------------------------------------------------------------------------ */

static bool looks(hd_tid tid, uintptr_t addr, bool write)
{
    hd_segment now = hd_clocks_segment(&races.clocks, tid);
    bool look;

    assert_int_equal(hd_lines_use(table, &races.clocks, hd_line_used(now, tid, 0), addr, 4, write, &look), 4);
    return look;
}

static void gives(hd_tid from, hd_tid to)
{
    struct hd_event unlock = { .kind = HD_EV_MUTEX_UNLOCK, .tid = from, .obj = OBJ_MUTEX };
    struct hd_event lock = { .kind = HD_EV_MUTEX_LOCK, .tid = to, .obj = OBJ_MUTEX };

    hd_clocks_event(&races.clocks, &unlock);
    hd_clocks_event(&races.clocks, &lock);
}

static void begin_trusted(uintptr_t at)
{
    memory = at;
    table->marks->executions = HD_LINES_PATIENCE;
    table->marks->nunsure = 0;
    hd_lines_begin(table, hd_races_begin(&races));
    assert_true(table->trusted);
}

static void memory_may_be_handed_over(void **state)
{
    (void)state;
    begin_trusted(0x70000000);
    for (hd_tid t = 0; t < 4; t++) {
        assert_false(looks(t, memory, t % 2 == 0));
        assert_false(looks(t, memory, true));
        gives(t, t + 1);
    }
    assert_false(table->marks->unsure);
    assert_true(looks(0, memory, false)); /* thread 3 had it last */
    assert_true(table->marks->unsure);
}

static void many_may_read_what_is_written_before(void **state)
{
    (void)state;
    begin_trusted(0x70001000);
    assert_false(looks(0, memory, true));
    gives(0, 1);
    gives(1, 2);
    for (hd_tid t = 0; t < 6; t++)
        assert_false(looks(t % 3, memory, false));
    assert_false(table->marks->unsure);
    assert_true(looks(3, memory, false)); /* which knows nothing of the write */
    assert_true(table->marks->unsure);
}

static void who_writes_among_readers_is_looked_at(void **state)
{
    (void)state;
    begin_trusted(0x70002000);
    assert_false(looks(0, memory, false));
    assert_false(looks(1, memory, false));
    assert_true(looks(0, memory, true));
    assert_true(table->marks->unsure);
    hd_lines_rerun(table->marks);
    hd_lines_begin(table, hd_races_begin(&races));
    assert_true(looks(0, memory, false)); /* for good */
    assert_false(table->marks->unsure);
}

/* Another process has the marks only. */
static void a_mark_outlives_the_table(void **state)
{
    (void)state;
    begin_trusted(0x70003000);
    assert_false(looks(0, memory, true));
    assert_true(looks(1, memory, true));
    memset(hd_line_of(table, memory), 0, sizeof(struct hd_line));
    hd_lines_rerun(table->marks);
    hd_lines_begin(table, hd_races_begin(&races));
    assert_true(looks(0, memory, true));
    assert_false(table->marks->unsure);
}

static void who_is_unsure_again_and_again_is_not_trusted(void **state)
{
    (void)state;
    begin_trusted(0x70004000);
    for (unsigned i = 0; i < HD_LINES_UNSURE; i++)
        hd_lines_rerun(table->marks);
    hd_lines_begin(table, hd_races_begin(&races));
    assert_false(table->trusted);
    assert_true(looks(0, memory, true));
    assert_true(looks(1, memory, true));
    assert_false(table->marks->unsure); /* nothing was missed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_away_is_no_race),
        cmocka_unit_test(memory_may_be_handed_over),
        cmocka_unit_test(many_may_read_what_is_written_before),
        cmocka_unit_test(who_writes_among_readers_is_looked_at),
        cmocka_unit_test(a_mark_outlives_the_table),
        cmocka_unit_test(who_is_unsure_again_and_again_is_not_trusted),
    };

    return cmocka_run_group_tests(tests, open_all, NULL);
}
