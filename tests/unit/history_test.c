/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history_test.c - the state of an object before any event is the one that an automaton has
 * that was fed with all events before it, also when executions share a beginning. */
#include "support/unit.h"

#include <sys/mman.h>

#include "base/rng.h"
#include "search/por/history.h"

#define ARENA_BYTES (UINT64_C(1) << 29)
#define EVENTS 400
#define THREADS 3
#define EXECUTIONS 60
#define QUESTIONS 100

static struct hd_execution exec;
static struct hd_event events[EVENTS];
static struct hd_trace trace;
static struct hd_history history;
static struct hd_arena arena;

static void open_memory(void)
{
    memset(&trace, 0, sizeof trace);
    memset(&history, 0, sizeof history);
    arena = (struct hd_arena){ .size = ARENA_BYTES };
    arena.base = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(arena.base != MAP_FAILED);
    exec = (struct hd_execution){ .events = events, .nthreads = THREADS };
    hd_trace_init(&trace, &arena);
    hd_history_init(&history, &trace, &arena);
}

/* Does the thread wait when the first n events are over? */
static bool waits(hd_tid tid, uint32_t n)
{
    while (n > 0 && (events[n - 1].tid != tid || events[n - 1].obj2 == 0))
        n--;
    return n > 0 && events[n - 1].kind == HD_EV_COND_WAIT;
}

/* A thread that waits does nothing but wake up, and always waits for the same condition. */
static struct hd_event random_event(struct hd_rng *rng, uint32_t n)
{
    static const enum hd_kind kinds[] = { HD_EV_SEM_POST, HD_EV_SEM_WAIT, HD_EV_COND_SIGNAL,
                                          HD_EV_COND_WAIT, HD_EV_MUTEX_LOCK, HD_EV_MUTEX_UNLOCK };
    hd_tid tid = (hd_tid)hd_rng_below(rng, THREADS);
    enum hd_kind kind = waits(tid, n) ? HD_EV_COND_WAKE : kinds[hd_rng_below(rng, COUNT_OF(kinds))];
    uint32_t obj = 1 + hd_rng_below(rng, 2), condition = 5 + 2 * (tid % 2u);
    struct hd_event e = { .kind = (uint8_t)kind, .tid = tid };

    e.obj = kind == HD_EV_COND_SIGNAL ? 5 + 2 * hd_rng_below(rng, 2) : obj;
    e.obj2 = kind == HD_EV_COND_WAIT ? condition : kind == HD_EV_COND_WAKE ? condition + 1 : 0;
    return e;
}

/* One event a step. */
static void run(struct hd_rng *rng, uint32_t kept, uint32_t n)
{
    exec.nevents = n;
    kept = hd_trace_start(&trace, &exec, kept);
    for (uint32_t i = kept; i < n; i++) {
        events[i] = random_event(rng, i);
        struct hd_step s = hd_step_make(events[i].tid, &events[i], 1);

        assert_true(hd_trace_add(&trace, &s, events[i].tid, i, 1));
    }
    hd_trace_finish(&trace);
    exec.index++;
}

static void ask(struct hd_rng *rng)
{
    static struct hd_automaton got, want;
    enum hd_history_of of = hd_rng_below(rng, 2) ? HD_HISTORY_QUEUE : HD_HISTORY_LOCK;
    uint32_t obj = of == HD_HISTORY_QUEUE ? 5 + 2 * hd_rng_below(rng, 2) : 1 + hd_rng_below(rng, 2);
    uint32_t event = hd_rng_below(rng, exec.nevents + 1);

    hd_history_before(&history, of, obj, event, &got);
    hd_automaton_reset(&want, THREADS);
    for (uint32_t i = 0; i < event; i++)
        if (of == HD_HISTORY_LOCK && hd_event_lock(&events[i]) == obj)
            hd_automaton_lock_event(&want, &events[i]);
        else if (of == HD_HISTORY_QUEUE && hd_event_queue(&events[i]) == obj)
            hd_automaton_queue_event(&want, &events[i]);
    assert_memory_equal(&got.sync, &want.sync, sizeof got.sync);
    assert_memory_equal(got.mark, want.mark, THREADS * sizeof got.mark[0]);
    assert_memory_equal(got.tokens, want.tokens, got.sync.ntokens * sizeof got.tokens[0]);
}

static void states_are_those_of_an_automaton(void **state)
{
    (void)state;
    for (uint32_t gap = 1; gap <= 16; gap *= 4) {
        struct hd_rng rng = hd_rng_for(gap, 0);

        open_memory();
        history.least_gap = gap;
        for (unsigned i = 0; i < EXECUTIONS; i++) {
            uint32_t n = 1 + hd_rng_below(&rng, EVENTS - 1);

            run(&rng, hd_rng_below(&rng, n), n);
            for (unsigned k = hd_rng_below(&rng, 2) * QUESTIONS; k > 0; k--) /* or looks away */
                ask(&rng);
        }
        munmap(arena.base, ARENA_BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(states_are_those_of_an_automaton) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
