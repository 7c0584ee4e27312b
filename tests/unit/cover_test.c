/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cover_test.c - what cover.h finds out of the trace is what is true of v, made by the book:
 * by happens-before as the closure of conflicts, and by going through all of v.  And what it
 * says to rest on some steps holds in every execution that has these. */
#include "support/unit.h"

#include <sys/mman.h>

#include "base/rng.h"
#include "search/por/conflicts.h"
#include "search/por/race_cover.h"

#define ARENA_BYTES (UINT64_C(1) << 28)
#define STEPS 24
#define EVENTS 3 /* of a step, at most */
#define THREADS 5
#define THREAD_OBJECT 50 /* + number */

struct made_step {
    hd_tid tid;
    uint32_t n;
    struct hd_event e[EVENTS];
};

/* An execution that never was. */
struct world {
    struct hd_arena arena;
    struct hd_execution exec;
    struct hd_event event[STEPS * EVENTS];
    struct hd_path path;
    struct hd_cover cover;
    struct hd_reversal reversal;
    bool before[STEPS][STEPS]; /* by the book */
    uint32_t v[STEPS], nv;     /* what is left of it, the operation last */
};

static struct world one, other;

/* Slots are not numbers of threads. */
static void open_world(struct world *w)
{
    if (w->arena.base == NULL) {
        w->arena.size = ARENA_BYTES;
        w->arena.base = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        assert_true(w->arena.base != MAP_FAILED);
        w->path.exec = &w->exec;
        hd_trace_init(&w->path.trace, &w->arena);
        hd_cover_init(&w->cover, &w->path, &w->arena);
        hd_reversal_init(&w->reversal, &w->path.trace, &w->arena);
        w->cover.beside.few = 2; /* nearly always by threads */
    }
    w->exec.events = w->event;
    w->exec.nevents = 0;
    w->exec.nthreads = THREADS;
    for (unsigned t = 0; t < THREADS; t++)
        w->exec.threads[t].slot = (uint16_t)((t + 2) % THREADS);
    hd_trace_start(&w->path.trace, &w->exec, 0);
}

static uint32_t add(struct world *w, const struct made_step *m)
{
    struct hd_trace *t = &w->path.trace;
    uint32_t first = w->exec.nevents;

    for (uint32_t i = 0; i < m->n; i++) {
        w->event[w->exec.nevents] = m->e[i];
        w->event[w->exec.nevents++].tid = m->tid;
    }
    struct hd_step s = hd_step_make(w->exec.threads[m->tid].slot, &w->event[first], m->n);

    assert_true(hd_trace_add(t, &s, m->tid, first, m->n));
    return t->nsteps - 1;
}

static uint32_t does(struct world *w, hd_tid tid, enum hd_kind kind, uint32_t obj)
{
    return add(w, &(struct made_step){ tid, 1, { { .kind = (uint8_t)kind, .obj = obj } } });
}

static uint32_t reads(struct world *w, hd_tid tid, uint32_t obj)
{
    return does(w, tid, HD_EV_ATOMIC_LOAD, obj);
}

static uint32_t writes(struct world *w, hd_tid tid, uint32_t obj)
{
    return does(w, tid, HD_EV_ATOMIC_STORE, obj);
}

static const struct hd_step *step_of(const struct world *w, uint32_t s)
{
    return &w->path.trace.step[s].step;
}

/* What the thread would do, not a step of the execution. */
static struct hd_step would(const struct world *w, hd_tid tid, enum hd_kind kind, uint32_t obj)
{
    struct hd_event e = { .kind = (uint8_t)kind, .obj = obj };

    return hd_step_make(w->exec.threads[tid].slot, &e, 1);
}

/* ---- by definition ------------------------------------------------------------------- */

static void find_order(struct world *w)
{
    uint32_t n = w->path.trace.nsteps;

    for (uint32_t b = 0; b < n; b++)
        for (uint32_t a = b + 1; a-- > 0;) {
            w->before[a][b] = a == b || hd_step_conflict(step_of(w, a), step_of(w, b));
            for (uint32_t k = a + 1; k < b && !w->before[a][b]; k++)
                w->before[a][b] = w->before[a][k] && w->before[k][b];
        }
}

static bool is_race(const struct world *w, uint32_t e, uint32_t racer)
{
    uint32_t own = w->path.trace.step[racer].before;

    return hd_step_conflict(step_of(w, e), step_of(w, racer)) &&
           w->path.trace.step[e].tid != w->path.trace.step[racer].tid &&
           (own == HD_NO_STEP || own < e || !w->before[e][own]);
}

static void start(struct world *w, uint32_t e, uint32_t racer)
{
    uint32_t n = w->path.trace.nsteps;

    find_order(w);
    if (n > 0 && w->event[w->path.trace.step[n - 1].event].kind == HD_EV_EXIT_END)
        n--;
    w->nv = 0;
    for (uint32_t s = e + 1; s < n; s++)
        if (s != racer && !w->before[e][s])
            w->v[w->nv++] = s;
    w->v[w->nv++] = racer;
    hd_cover_start(&w->cover, e, racer);
}

static uint32_t find_by_the_book(const struct world *w, const struct hd_step *q)
{
    uint32_t at = 0;

    while (at < w->nv && step_of(w, w->v[at])->slot != q->slot)
        at++;
    const struct hd_step *s = at < w->nv ? step_of(w, w->v[at]) : q;

    for (uint32_t i = 0; i < at; i++)
        if (hd_step_conflict(step_of(w, w->v[i]), s))
            return HD_COVER_NOT;
    return at < w->nv ? w->v[at] : HD_COVER_BESIDE;
}

static void take_by_the_book(struct world *w, uint32_t found)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->nv; i++)
        if (w->v[i] != found)
            w->v[n++] = w->v[i];
    w->nv = n;
}

/* ---- random executions --------------------------------------------------------------- */

static void random_event(struct hd_event *e, struct hd_rng *rng)
{
    static const enum hd_kind kinds[] = { HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_LOAD,
                                          HD_EV_ATOMIC_STORE, HD_EV_ATOMIC_RMW, HD_EV_SEM_POST };

    *e = (struct hd_event){ .kind = (uint8_t)kinds[hd_rng_below(rng, COUNT_OF(kinds))],
                            .obj = 1 + hd_rng_below(rng, 4) };
}

/* Steps from `from` on.  Thread 0 creates the last one at some time, and the last step may be
 * the end of the process. */
static void random_steps(struct made_step *m, uint32_t from, uint32_t n, struct hd_rng *rng)
{
    bool created = false, begun = false;

    for (uint32_t i = 0; i < from; i++) {
        created |= m[i].e[0].kind == HD_EV_THREAD_CREATE;
        begun |= m[i].tid == THREADS - 1;
    }
    for (uint32_t i = from; i < n; i++) {
        struct made_step *s = &m[i];

        *s = (struct made_step){ .tid = (hd_tid)hd_rng_below(rng, created ? THREADS : THREADS - 1) };
        if (s->tid == 0 && !created) {
            s->e[s->n++] = (struct hd_event){ .kind = HD_EV_THREAD_CREATE, .value = THREADS - 1,
                                              .obj = THREAD_OBJECT };
            created = true;
            continue;
        }
        if (s->tid == THREADS - 1 && !begun)
            s->e[s->n++] = (struct hd_event){ .kind = HD_EV_THREAD_START, .obj = THREAD_OBJECT };
        begun |= s->tid == THREADS - 1;
        random_event(&s->e[s->n++], rng);
        if (s->n < EVENTS && hd_rng_below(rng, 3) == 0)
            random_event(&s->e[s->n++], rng);
    }
    if (hd_rng_below(rng, 4) == 0)
        m[n - 1] = (struct made_step){ 0, 1, { { .kind = HD_EV_EXIT_END } } };
}

static void make_world(struct world *w, const struct made_step *m, uint32_t n)
{
    open_world(w);
    for (uint32_t i = 0; i < n; i++)
        add(w, &m[i]);
}

/* Often what some thread did after e. */
static struct hd_step random_step(const struct world *w, struct hd_rng *rng)
{
    const struct hd_trace *t = &w->path.trace;
    struct made_step m;
    struct hd_step q;

    if (hd_rng_below(rng, 4) > 0)
        return *step_of(w, w->cover.e + hd_rng_below(rng, t->nsteps - w->cover.e));
    random_event(&m.e[0], rng);
    random_event(&m.e[1], rng);
    q = hd_step_make((uint16_t)hd_rng_below(rng, THREADS + 1), m.e, 1 + hd_rng_below(rng, 2));
    if (hd_rng_below(rng, 16) == 0)
        q.flags |= HD_STEP_ALL;
    return q;
}

struct way {
    struct hd_step q[STEPS];
    uint32_t n, beside;
};

static void compare_what_is_left(struct world *w)
{
    const struct hd_step *rest[STEPS + 1];
    uint32_t n = hd_cover_rest(&w->cover, rest), place[STEPS], racer = UINT32_MAX, end = w->cover.e + 1;

    assert_int_equal(n, w->nv);
    for (uint32_t i = 0; i < n; i++) {
        place[i] = (uint32_t)((const struct hd_trace_step *)(const void *)rest[i] -
                              w->path.trace.step);
        racer = place[i] == w->cover.racer ? i : racer;
        uint32_t k = 0;

        while (k < w->nv && w->v[k] != place[i])
            k++;
        assert_true(k < w->nv);
    }
    for (uint32_t i = 0; i < n; i++) /* in an order that is possible; the operation early */
        for (uint32_t k = i + 1; k < n; k++) {
            assert_true(place[i] < place[k] || !hd_step_conflict(rest[i], rest[k]));
            assert_true(k != racer || w->before[place[i]][place[k]]);
        }
    for (uint32_t s = w->cover.e + 1; s < w->cover.steps; s++)
        if (!w->before[w->cover.e][s])
            end = s + 1;
    assert_int_equal(hd_cover_end(&w->cover), end);
}

/* Goes a random way along v. */
static void walk(struct world *w, struct way *way, struct hd_rng *rng)
{
    way->n = way->beside = 0;
    for (uint32_t i = 0; i < 3 * w->nv && way->n < STEPS; i++) {
        struct hd_step q = random_step(w, rng);
        uint32_t want = find_by_the_book(w, &q);

        assert_int_equal(hd_cover_find(&w->cover, &q), want);
        if (want == HD_COVER_NOT || hd_rng_below(rng, 3) == 0)
            continue;
        hd_cover_take(&w->cover, &q, want);
        take_by_the_book(w, want);
        way->q[way->n++] = q;
        way->beside += want == HD_COVER_BESIDE;
    }
    compare_what_is_left(w);
}

/* Does the way lead along v of another execution that begins in the same way? */
static void expect_way(struct world *w, const struct way *way)
{
    for (uint32_t i = 0; i < way->n; i++) {
        uint32_t found = find_by_the_book(w, &way->q[i]);

        assert_int_not_equal(found, HD_COVER_NOT);
        take_by_the_book(w, found);
    }
}

/* C1: v is what hd_reversal_make makes. */
static void compare_reversal(struct world *w, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_step *last = &w->reversal.last, *was = step_of(w, racer->step);

    assert_true(hd_reversal_make(&w->reversal, e, racer));
    assert_true(w->reversal.fixed);
    assert_int_equal(w->reversal.nv, w->nv);
    for (uint32_t i = 0; i + 1 < w->nv; i++)
        assert_int_equal(w->reversal.index[i], w->v[i]);
    assert_int_equal(last->naccesses, was->naccesses);
    for (unsigned i = 0; i < last->naccesses; i++) {
        unsigned k = 0;

        while (k < was->naccesses && hd_access_word(was->on[k]) != hd_access_word(last->on[i]))
            k++;
        assert_true(k < was->naccesses);
    }
}

struct numbers {
    uint64_t races, steps;
    uint64_t settled; /* ways with a step beside v that hold whatever follows */
};

static void look_at_race(const struct made_step *m, uint32_t e, uint32_t racer,
                         struct hd_rng *rng, struct numbers *sum)
{
    struct hd_racer r = hd_conflicts_racer(&one.path.trace, racer);
    struct way way;

    if (!is_race(&one, e, racer) || !hd_reversal_is_plain(&one.path.trace, e, &r))
        return;
    start(&one, e, racer);
    compare_reversal(&one, e, &r);
    assert_int_equal(hd_cover_initial(&one.cover, racer),
                     find_by_the_book(&one, step_of(&one, racer)) == racer);
    walk(&one, &way, rng);
    sum->races++;
    sum->steps += way.n;
    if (one.cover.loose)
        return;
    sum->settled += way.beside > 0;
    for (unsigned k = 0; k < 4; k++) {
        struct made_step another[STEPS];

        memcpy(another, m, sizeof another);
        random_steps(another, one.cover.latest + 1, STEPS, rng);
        make_world(&other, another, STEPS);
        start(&other, e, racer);
        expect_way(&other, &way);
    }
}

static void the_trace_answers_as_v_does(void **state)
{
    struct numbers sum = { 0 };

    (void)state;
    for (uint64_t i = 0; i < 1500; i++) {
        struct hd_rng rng = hd_rng_for(41, i);
        uint32_t n = 4 + hd_rng_below(&rng, STEPS - 8);
        struct made_step m[STEPS] = { 0 };

        random_steps(m, 0, n, &rng);
        make_world(&one, m, n);
        find_order(&one);
        for (uint32_t racer = 1; racer < n; racer++)
            for (uint32_t e = 0; e < racer; e++)
                look_at_race(m, e, racer, &rng, &sum);
    }

    assert_true(sum.races > 5000 && sum.steps > 10000 && sum.settled > 500);
}

/* ---- one condition after the other ------------------------------------------------------ */

/* Objects. */
enum { X = 1, Y, Z };

static bool is_plain(const struct world *w, uint32_t e, uint32_t racer)
{
    struct hd_racer r = hd_conflicts_racer(&w->path.trace, racer);

    return hd_reversal_is_plain(&w->path.trace, e, &r);
}

static void only_what_does_the_same_anywhere_is_plain(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), read = reads(&one, 1, X);
    uint32_t lock = does(&one, 0, HD_EV_MUTEX_LOCK, Y), unlock = does(&one, 0, HD_EV_MUTEX_UNLOCK, Y);
    uint32_t next = does(&one, 1, HD_EV_MUTEX_LOCK, Y), swap = does(&one, 2, HD_EV_ATOMIC_CAS, X);
    struct hd_racer never = { 1, HD_NO_STEP, next, &one.event[read] };
    struct hd_sections *some = (struct hd_sections *)&one;

    assert_true(is_plain(&one, e, read));
    assert_true(is_plain(&one, lock, next));    /* in the place of the other */
    assert_false(is_plain(&one, unlock, next)); /* it needs that */
    assert_false(is_plain(&one, e, swap));      /* it may fail */
    assert_false(hd_reversal_is_plain(&one.path.trace, e, &never));
    one.event[read].flags = HD_EVF_HELD; /* it polls */
    assert_false(is_plain(&one, e, read));
    one.event[read].flags = 0;
    one.path.trace.lazy = some; /* there are locks that order nothing */
    assert_false(is_plain(&one, e, read));
    one.path.trace.lazy = NULL;
    assert_true(is_plain(&one, e, read));
}

/* An operation with so many events behind it cannot be foreseen. */
static void a_long_operation_is_not_plain(void **state)
{
    struct hd_trace *t = &one.path.trace;

    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        open_world(&one);
        uint32_t e = writes(&one, 0, X);
        struct hd_step s = would(&one, 1, HD_EV_ATOMIC_LOAD, X);

        for (uint32_t i = 0; i < n; i++)
            one.event[1 + i] = (struct hd_event){ .kind = HD_EV_ATOMIC_LOAD, .obj = X, .tid = 1 };
        assert_true(hd_trace_add(t, &s, 1, 1, n));
        assert_int_equal(is_plain(&one, e, 1), n < 8);
        struct hd_racer r = hd_conflicts_racer(t, 1);

        assert_true(hd_reversal_make(&one.reversal, e, &r));
        assert_int_equal(one.reversal.fixed, n < 8); /* so it is there */
    }
}

/* C2: as long as there is a step of which not all is known that it touches. */
static void steps_that_touch_much_are_counted(void **state)
{
    struct hd_trace *t = &one.path.trace;
    struct hd_step much = { .flags = HD_STEP_ALL };

    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), racer = reads(&one, 1, X);

    assert_true(is_plain(&one, e, racer));
    much.slot = one.exec.threads[2].slot;
    assert_true(hd_trace_add(t, &much, 2, one.exec.nevents, 0));
    assert_false(is_plain(&one, e, racer));
    hd_trace_finish(t);
    one.exec.index++;
    assert_int_equal(hd_trace_start(t, &one.exec, 2), 2);
    assert_true(is_plain(&one, e, racer));
    one.exec.index = 0;
}

/* C3 */
static void what_conflicts_and_comes_before_is_in_the_way(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), first = writes(&one, 1, Y);

    writes(&one, 0, Z); /* happens after e */
    uint32_t second = reads(&one, 2, Y);
    uint32_t racer = add(&one, &(struct made_step){ 3, 2, { { .kind = HD_EV_ATOMIC_LOAD, .obj = X },
                                                            { .kind = HD_EV_ATOMIC_LOAD, .obj = Z } } });

    start(&one, e, racer);
    assert_true(hd_cover_initial(&one.cover, first));
    assert_false(hd_cover_initial(&one.cover, second));
    assert_true(hd_cover_initial(&one.cover, racer)); /* the write of Z is not in v */
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, second)), HD_COVER_NOT);
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, e)), HD_COVER_NOT);
}

/* C4 */
static void what_was_taken_is_not_in_the_way_any_more(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), first = writes(&one, 1, Y), second = reads(&one, 2, Y);
    uint32_t racer = reads(&one, 2, X);

    start(&one, e, racer);
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, racer)), HD_COVER_NOT);
    hd_cover_take(&one.cover, step_of(&one, first), first);
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, racer)), second);
    hd_cover_take(&one.cover, step_of(&one, second), second);
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, racer)), racer);
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, first)), HD_COVER_BESIDE);
    assert_int_equal(one.cover.latest, racer);
    assert_false(one.cover.loose);
    hd_cover_start(&one.cover, e, racer); /* all are there again */
    assert_int_equal(hd_cover_find(&one.cover, step_of(&one, racer)), HD_COVER_NOT);
}

/* C5: thread 2 reads Y after e, thread 1 is in the race. */
static void expect_rest_on(const struct hd_step *q, uint32_t e, uint32_t racer, uint32_t latest)
{
    start(&one, e, racer);
    assert_int_equal(hd_cover_find(&one.cover, q), HD_COVER_BESIDE);
    hd_cover_depends_on_initial(&one.cover, q, HD_COVER_BESIDE);
    assert_int_equal(one.cover.loose, latest == HD_NO_STEP);
    if (latest != HD_NO_STEP)
        assert_int_equal(one.cover.latest, latest);
}

static void a_step_beside_is_settled_by_what_came_of_it(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), racer = reads(&one, 1, X), same;
    struct hd_step q = would(&one, 2, HD_EV_ATOMIC_LOAD, Y);
    struct hd_step much = q, more = q;

    expect_rest_on(&q, e, racer, HD_NO_STEP); /* it may still write X, and v with it */
    reads(&one, 2, X);
    expect_rest_on(&q, e, racer, HD_NO_STEP); /* another one came of it */
    open_world(&one);
    writes(&one, 0, X);
    reads(&one, 1, X);
    writes(&one, 0, Y);
    same = reads(&one, 2, Y); /* of what was written after e */
    expect_rest_on(&q, e, racer, same);
    much.flags = HD_STEP_ALL;
    start(&one, e, racer);
    assert_int_equal(hd_cover_find(&one.cover, &much), HD_COVER_NOT);
    more.on[more.naccesses++] = hd_access_of(Z, HD_ACC_R);
    expect_rest_on(&more, e, racer, HD_NO_STEP);
    one.path.trace.step[same].step.on[1] = more.on[1]; /* which is none of its accesses */
    expect_rest_on(&more, e, racer, HD_NO_STEP);
    more = q;
    more.flags = HD_STEP_CHOICE; /* C2: no such step is there, or an alternative came of it */
    expect_rest_on(&more, e, racer, HD_NO_STEP);
    more = q;
    more.on[0] = hd_access_of(Z, HD_ACC_R);
    expect_rest_on(&more, e, racer, HD_NO_STEP);
    more.slot = THREADS; /* of a thread that is not there */
    expect_rest_on(&more, e, racer, HD_NO_STEP);
}

/* The second of two steps beside v is what came second. */
static void steps_beside_come_one_after_the_other(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), racer = reads(&one, 1, X);
    struct hd_step q = would(&one, 2, HD_EV_ATOMIC_LOAD, X), p = would(&one, 2, HD_EV_ATOMIC_LOAD, Z);

    reads(&one, 2, X);
    uint32_t last = reads(&one, 2, Z);

    start(&one, e, racer);
    hd_cover_take(&one.cover, &q, hd_cover_find(&one.cover, &q));
    assert_int_equal(hd_cover_find(&one.cover, &p), HD_COVER_BESIDE);
    hd_cover_take(&one.cover, &p, HD_COVER_BESIDE);
    assert_false(one.cover.loose);
    assert_int_equal(one.cover.latest, last);
    hd_cover_start(&one.cover, e, racer);
    hd_cover_take(&one.cover, &p, hd_cover_find(&one.cover, &p)); /* in another order */
    assert_true(one.cover.loose);
}

/* The end of the process is no step of v, nor what came of one. */
static void the_end_of_the_process_is_beside(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 1, X), racer = reads(&one, 2, X);
    struct hd_step q = { .slot = one.exec.threads[0].slot };

    does(&one, 0, HD_EV_EXIT_END, 0);
    expect_rest_on(&q, e, racer, HD_NO_STEP);
    compare_what_is_left(&one);
}

static void stamps_do_not_come_back(void **state)
{
    (void)state;
    open_world(&one);
    uint32_t e = writes(&one, 0, X), racer = reads(&one, 1, X), s = writes(&one, 2, Y);

    for (uint32_t again = 0; again < 3; again++) {
        one.cover.taken[s] = one.cover.listed[2] = again; /* long ago */
        one.cover.first[2] = HD_NO_STEP;
        one.cover.stamp = UINT32_MAX;
        start(&one, e, racer);
        assert_int_equal(hd_cover_find(&one.cover, step_of(&one, s)), s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_answers_as_v_does),
        cmocka_unit_test(only_what_does_the_same_anywhere_is_plain),
        cmocka_unit_test(a_long_operation_is_not_plain),
        cmocka_unit_test(steps_that_touch_much_are_counted),
        cmocka_unit_test(what_conflicts_and_comes_before_is_in_the_way),
        cmocka_unit_test(what_was_taken_is_not_in_the_way_any_more),
        cmocka_unit_test(a_step_beside_is_settled_by_what_came_of_it),
        cmocka_unit_test(steps_beside_come_one_after_the_other),
        cmocka_unit_test(the_end_of_the_process_is_beside),
        cmocka_unit_test(stamps_do_not_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
