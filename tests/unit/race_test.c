/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_test.c - the race detector against the definition.
 *
 * Random traces of plain and atomic accesses, fences, locks, semaphores, barriers,
 * creation and joining.  The judge builds the happens-before relation edge by edge as
 * C11 and POSIX define it (release sequences by looking back along the stores, no
 * clocks) and closes it; the first race of every byte must be reported where it
 * happens, with the right partner, and no byte without one. */
#include "support/unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "detect/race.h"

#define EVENTS 60
#define THREADS 6 /* more than one vector of a clock */
#define BYTES 24
#define MEMORY memory_of(running_seed)

enum { OBJ_NONE, OBJ_MUTEX, OBJ_RWLOCK, OBJ_SEM, OBJ_THREAD, OBJ_ATOMIC = OBJ_THREAD + THREADS,
       OBJECTS = OBJ_ATOMIC + BYTES };

/* Cells are split for good: a few traces use the same memory, the next ones other memory. */
static uint64_t running_seed;

static uintptr_t memory_of(uint64_t seed)
{
    return 0x7000 + seed / 4 * 32;
}

/* One line of a trace: an event, or a plain access (kind PLAIN_READ or _WRITE). */
struct line {
    struct hd_event e;
    unsigned at, size; /* of an access */
};

struct trace {
    struct line line[EVENTS];
    unsigned n;
};

/* ---- random traces ---------------------------------------------------------------- */

struct maker {
    struct trace *t;
    struct hd_rng rng;
    unsigned created, sem;
    bool live[THREADS], ended[THREADS];
    int owner, writer; /* -1 none */
    bool reader[THREADS];
};

static unsigned below(struct maker *m, unsigned n)
{
    return hd_rng_below(&m->rng, n);
}

static void put(struct maker *m, unsigned tid, enum hd_kind kind, unsigned obj, uint64_t value)
{
    m->t->line[m->t->n] = (struct line){
        .e = { .tid = (hd_tid)tid, .kind = (uint8_t)kind, .obj = obj, .value = value,
               .pc = 1000 + m->t->n } };
    m->t->n++;
}

static void put_access(struct maker *m, unsigned tid, enum hd_kind kind, unsigned at, unsigned log)
{
    static const uint16_t orders[] = { 0, 2, 3, 4, 5 };
    bool atomic = kind != HD_EV_PLAIN_READ && kind != HD_EV_PLAIN_WRITE;

    put(m, tid, kind, atomic ? OBJ_ATOMIC + at : 0, 0);
    struct line *l = &m->t->line[m->t->n - 1];

    l->at = at;
    l->size = 1u << log;
    l->e.flags = (uint8_t)(log << HD_EVF_SIZE_SHIFT);
    l->e.aux = orders[below(m, 5)];
    if (kind == HD_EV_ATOMIC_CAS && below(m, 2))
        l->e.flags |= HD_EVF_FAILED;
}

static void access_something(struct maker *m, unsigned tid)
{
    static const enum hd_kind atomics[] = { HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_STORE,
                                            HD_EV_ATOMIC_RMW, HD_EV_ATOMIC_CAS };

    if (below(m, 2)) { /* few locations, always of the same size, as programs have it */
        put_access(m, tid, atomics[below(m, 4)], 8 * below(m, 2), 2);
        return;
    }
    unsigned log = below(m, 5);

    put_access(m, tid, below(m, 2) ? HD_EV_PLAIN_READ : HD_EV_PLAIN_WRITE,
               below(m, BYTES - (1u << log) + 1), log);
}

static void use_lock(struct maker *m, unsigned tid)
{
    if (m->owner == (int)tid) {
        put(m, tid, below(m, 2) ? HD_EV_MUTEX_UNLOCK : HD_EV_COND_WAIT, OBJ_MUTEX, 0);
        m->owner = -1;
    } else if (m->owner < 0) {
        put(m, tid, below(m, 2) ? HD_EV_MUTEX_LOCK : HD_EV_COND_WAKE, OBJ_MUTEX, 0);
        m->owner = (int)tid;
    }
}

static void use_rwlock(struct maker *m, unsigned tid)
{
    bool readers = false;

    for (unsigned t = 0; t < THREADS; t++)
        readers |= m->reader[t];
    if (m->writer == (int)tid) {
        put(m, tid, HD_EV_RWLOCK_WRUNLOCK, OBJ_RWLOCK, 0);
        m->writer = -1;
    } else if (m->reader[tid]) {
        put(m, tid, HD_EV_RWLOCK_RDUNLOCK, OBJ_RWLOCK, 0);
        m->reader[tid] = false;
    } else if (m->writer < 0 && !readers && below(m, 2)) {
        put(m, tid, HD_EV_RWLOCK_WRLOCK, OBJ_RWLOCK, 0);
        m->writer = (int)tid;
    } else if (m->writer < 0) {
        put(m, tid, HD_EV_RWLOCK_RDLOCK, OBJ_RWLOCK, 0);
        m->reader[tid] = true;
    }
}

static void use_sem(struct maker *m, unsigned tid)
{
    if (m->sem > 0 && below(m, 2)) {
        put(m, tid, HD_EV_SEM_WAIT, OBJ_SEM, 0);
        m->sem--;
    } else {
        put(m, tid, HD_EV_SEM_POST, OBJ_SEM, 0);
        m->sem++;
    }
}

static void create_or_join(struct maker *m, unsigned tid)
{
    unsigned other = below(m, THREADS);

    if (m->created < THREADS && below(m, 2)) {
        put(m, tid, HD_EV_THREAD_CREATE, OBJ_THREAD + m->created, m->created);
        m->live[m->created++] = true;
    } else if (m->ended[other]) {
        put(m, tid, HD_EV_THREAD_JOIN, OBJ_THREAD + other, 0);
    } else if (tid != 0 && below(m, 8) == 0) {
        put(m, tid, HD_EV_THREAD_END, OBJ_THREAD + tid, 0);
        m->live[tid] = false;
        m->ended[tid] = true;
    }
}

static void make(struct trace *t, uint64_t seed)
{
    struct maker m = { .t = t, .owner = -1, .writer = -1, .live = { true }, .created = 1 };
    static const uint16_t orders[] = { 2, 3, 4, 5 };

    t->n = 0;
    m.rng = hd_rng_for(1, seed);
    while (t->n < EVENTS) {
        unsigned tid = below(&m, m.created), what = below(&m, 16);

        if (!m.live[tid])
            continue;
        if (what < 9)
            access_something(&m, tid);
        else if (what < 11)
            use_lock(&m, tid);
        else if (what == 11)
            use_rwlock(&m, tid);
        else if (what == 12)
            use_sem(&m, tid);
        else if (what == 13) {
            put(&m, tid, HD_EV_FENCE, 0, HD_FENCE_EVERYBODY);
            if (below(&m, 8) != 0)
                t->line[t->n - 1].e.value = t->line[t->n - 1].e.aux = orders[below(&m, 4)];
        } else
            create_or_join(&m, tid);
    }
}

/* ---- the definition ---------------------------------------------------------------- */

typedef uint64_t lines; /* a set of them: bit i for line i */

static bool is_store(const struct line *l)
{
    return l->e.kind == HD_EV_ATOMIC_STORE || l->e.kind == HD_EV_ATOMIC_RMW ||
           (l->e.kind == HD_EV_ATOMIC_CAS && !(l->e.flags & HD_EVF_FAILED));
}

static bool is_load(const struct line *l)
{
    return l->e.kind == HD_EV_ATOMIC_LOAD || l->e.kind == HD_EV_ATOMIC_RMW ||
           l->e.kind == HD_EV_ATOMIC_CAS;
}

static bool acquiring(const struct line *l) { return l->e.aux == 2 || l->e.aux >= 4; }
static bool releasing(const struct line *l) { return l->e.aux >= 3; }

/* Line i is a store; add whom it lets others synchronise with: itself if it releases,
 * and the latest release fence before it in its thread. */
static lines released_by(const struct trace *t, unsigned i)
{
    lines s = releasing(&t->line[i]) ? UINT64_C(1) << i : 0;

    for (unsigned k = i; k-- > 0;)
        if (t->line[k].e.tid == t->line[i].e.tid && t->line[k].e.kind == HD_EV_FENCE &&
            releasing(&t->line[k]))
            return s | UINT64_C(1) << k;
    return s;
}

/* Everything whose (hypothetical) release sequence the load at i reads from. */
static lines read_from(const struct trace *t, unsigned i)
{
    lines s = 0;
    unsigned later[EVENTS], n = 0; /* stores to the location before i, latest first */

    for (unsigned k = i; k-- > 0;)
        if (t->line[k].e.obj == t->line[i].e.obj && is_store(&t->line[k]))
            later[n++] = k;
    for (unsigned h = 0; h < n; h++) { /* does the sequence that later[h] heads reach later[0]? */
        bool reaches = true;

        for (unsigned k = 0; k < h; k++)
            reaches &= t->line[later[k]].e.kind != HD_EV_ATOMIC_STORE ||
                       t->line[later[k]].e.tid == t->line[later[h]].e.tid;
        if (reaches)
            s |= released_by(t, later[h]);
    }
    return s;
}

/* An acquire fence learns what relaxed loads before it in its thread have read. */
static lines learnt_by_atomic(const struct trace *t, unsigned i)
{
    const struct line *l = &t->line[i];
    lines s = 0;

    if (is_load(l) && acquiring(l))
        s |= read_from(t, i);
    for (unsigned k = 0; l->e.kind == HD_EV_FENCE && acquiring(l) && k < i; k++)
        if (t->line[k].e.tid == l->e.tid && is_load(&t->line[k]))
            s |= read_from(t, k);
    return s;
}

static bool is_meeting(const struct line *l)
{
    return l->e.kind == HD_EV_FENCE && l->e.value == HD_FENCE_EVERYBODY;
}

static bool sync_edge(const struct line *a, const struct line *b)
{
    unsigned x = a->e.kind, y = b->e.kind;

    if (is_meeting(a) || is_meeting(b))
        return true;
    if (x == HD_EV_THREAD_CREATE && a->e.value == b->e.tid)
        return true;
    if (a->e.obj == 0 || a->e.obj != b->e.obj)
        return false;
    bool mutex_gave = x == HD_EV_MUTEX_UNLOCK || x == HD_EV_COND_WAIT;
    bool mutex_took = y == HD_EV_MUTEX_LOCK || y == HD_EV_COND_WAKE;

    return (mutex_gave && mutex_took) || (x == HD_EV_SEM_POST && y == HD_EV_SEM_WAIT) ||
           (x == HD_EV_THREAD_END && y == HD_EV_THREAD_JOIN) ||
           (x == HD_EV_RWLOCK_WRUNLOCK && (y == HD_EV_RWLOCK_WRLOCK || y == HD_EV_RWLOCK_RDLOCK)) ||
           (x == HD_EV_RWLOCK_RDUNLOCK && y == HD_EV_RWLOCK_WRLOCK);
}

/* before[i]: all lines that happen before line i. */
static void close_relation(const struct trace *t, lines *before)
{
    for (unsigned i = 0; i < t->n; i++) {
        lines direct = learnt_by_atomic(t, i);

        before[i] = 0;
        for (unsigned k = 0; k < i; k++)
            if (t->line[k].e.tid == t->line[i].e.tid || sync_edge(&t->line[k], &t->line[i]))
                direct |= UINT64_C(1) << k;
        for (unsigned k = 0; k < i; k++)
            if (direct >> k & 1)
                before[i] |= before[k] | UINT64_C(1) << k;
    }
}

static bool writes(const struct line *l)
{
    return l->e.kind == HD_EV_PLAIN_WRITE || is_store(l);
}

static bool conflict(const struct line *a, const struct line *b)
{
    return a->size != 0 && b->size != 0 && a->e.tid != b->e.tid && (writes(a) || writes(b)) &&
           (a->e.obj == 0 || b->e.obj == 0);
}

static bool touches(const struct line *l, unsigned byte)
{
    return byte >= l->at && byte < l->at + l->size;
}

/* The first line that races on the byte with an earlier one, and with which; n none. */
static unsigned first_race(const struct trace *t, const lines *before, unsigned byte, lines *with)
{
    for (unsigned i = 0; i < t->n; i++) {
        *with = 0;
        for (unsigned k = 0; k < i; k++)
            if (conflict(&t->line[k], &t->line[i]) && touches(&t->line[i], byte) &&
                touches(&t->line[k], byte) && !(before[i] >> k & 1))
                *with |= UINT64_C(1) << k;
        if (*with != 0)
            return i;
    }
    return t->n;
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
            hd_races_access_slow(r, l->e.tid, MEMORY + l->at, l->size, writes(l), l->e.pc);
        else if (l->size != 0 && l->e.obj == 0)
            hd_races_access(r, l->e.tid, MEMORY + l->at, l->size, writes(l), l->e.pc);
        else
            hd_races_event(r, &l->e, MEMORY + l->at);
    }
}

static void compare_byte(const struct trace *t, const lines *before, const struct seen *s,
                         unsigned byte, uint64_t seed, unsigned *races)
{
    lines with;
    unsigned want = first_race(t, before, byte, &with);

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

        make(&t, seed);
        close_relation(&t, before);
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

/* Numbers of segments run out after 2^32: what is remembered by number is forgotten. */
static void numbers_may_begin_again(void **state)
{
    struct trace t;
    struct seen first;

    (void)state;
    make(&t, 7);
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

/* Nobody orders them: every byte races but one, whatever cells and pages they are in, and
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

/* Who asks for all pairs hears of each access of a segment, also of a read after a write of
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
        cmocka_unit_test(numbers_may_begin_again),
        cmocka_unit_test_setup(a_range_is_checked_whole, open_ranges),
        cmocka_unit_test_setup(bytes_keep_the_place_they_came_from, open_ranges),
        cmocka_unit_test_setup(parts_may_become_smaller, open_ranges),
        cmocka_unit_test_setup(of_all_pairs_none_is_left_out, open_ranges),
    };

    return cmocka_run_group_tests(tests, open_races, NULL);
}
