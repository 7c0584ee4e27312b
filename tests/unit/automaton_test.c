/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton_test.c - objects by their events: which threads can run, and how it ends. */
#include "support/unit.h"

#include "model/automaton.h"

enum { OBJ = 5, MUTEX = 6, QUEUE = 7, TOKENS = 8 };

static struct hd_event event(enum hd_kind kind, hd_tid tid)
{
    struct hd_event e = { .tid = tid, .kind = (uint8_t)kind, .obj = OBJ };

    if (kind == HD_EV_COND_WAIT)
        e.obj = MUTEX, e.obj2 = QUEUE;
    if (kind == HD_EV_COND_WAKE)
        e.obj = MUTEX, e.obj2 = TOKENS;
    if (kind == HD_EV_COND_SIGNAL || kind == HD_EV_COND_TIMEOUT || kind == HD_EV_COND_BROADCAST)
        e.obj = QUEUE, e.obj2 = TOKENS;
    return e;
}

struct world {
    struct hd_automaton lock, queue;
};

static void happen(struct world *w, enum hd_kind kind, hd_tid tid)
{
    struct hd_event e = event(kind, tid);

    if (hd_event_lock(&e) != 0)
        hd_automaton_lock_event(&w->lock, &e);
    if (hd_event_queue(&e) != 0)
        hd_automaton_queue_event(&w->queue, &e);
}

static enum hd_run would(const struct world *w, enum hd_kind kind, hd_tid tid)
{
    struct hd_event e = event(kind, tid);

    return hd_automaton_run(&w->lock, &w->queue, &e);
}

static struct world fresh(void)
{
    struct world w;

    hd_automaton_reset(&w.lock, 4);
    hd_automaton_reset(&w.queue, 4);
    return w;
}

static void a_mutex_has_one_owner(void **state)
{
    struct world w = fresh();

    (void)state;
    assert_int_equal(would(&w, HD_EV_MUTEX_LOCK, 1), HD_RUN_OK);
    happen(&w, HD_EV_MUTEX_LOCK, 1);
    assert_int_equal(would(&w, HD_EV_MUTEX_LOCK, 2), HD_RUN_BLOCKED);
    assert_int_equal(would(&w, HD_EV_MUTEX_TRYLOCK, 2), HD_RUN_FAILS);
    happen(&w, HD_EV_MUTEX_UNLOCK, 1);
    assert_int_equal(would(&w, HD_EV_MUTEX_TRYLOCK, 2), HD_RUN_OK);
}

static void readers_share_and_writers_do_not(void **state)
{
    struct world w = fresh();

    (void)state;
    happen(&w, HD_EV_RWLOCK_RDLOCK, 1);
    happen(&w, HD_EV_RWLOCK_RDLOCK, 2);
    assert_int_equal(would(&w, HD_EV_RWLOCK_RDLOCK, 3), HD_RUN_OK);
    assert_int_equal(would(&w, HD_EV_RWLOCK_WRLOCK, 3), HD_RUN_BLOCKED);
    happen(&w, HD_EV_RWLOCK_RDUNLOCK, 1);
    assert_int_equal(would(&w, HD_EV_RWLOCK_TRYWRLOCK, 3), HD_RUN_FAILS);
    happen(&w, HD_EV_RWLOCK_RDUNLOCK, 2);
    assert_int_equal(would(&w, HD_EV_RWLOCK_WRLOCK, 3), HD_RUN_OK);
    happen(&w, HD_EV_RWLOCK_WRLOCK, 3);
    assert_int_equal(would(&w, HD_EV_RWLOCK_TRYRDLOCK, 1), HD_RUN_FAILS);
}

static void a_semaphore_counts(void **state)
{
    struct world w = fresh();

    (void)state;
    assert_int_equal(would(&w, HD_EV_SEM_WAIT, 1), HD_RUN_BLOCKED);
    assert_int_equal(would(&w, HD_EV_SEM_TRYWAIT, 1), HD_RUN_FAILS);
    happen(&w, HD_EV_SEM_POST, 2);
    assert_int_equal(would(&w, HD_EV_SEM_WAIT, 1), HD_RUN_OK);
    happen(&w, HD_EV_SEM_WAIT, 1);
    assert_int_equal(would(&w, HD_EV_SEM_WAIT, 2), HD_RUN_BLOCKED);
}

static void a_token_is_for_those_who_waited(void **state)
{
    struct world w = fresh();

    (void)state;
    happen(&w, HD_EV_COND_SIGNAL, 3); /* lost */
    happen(&w, HD_EV_COND_WAIT, 1);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 1), HD_RUN_BLOCKED);
    happen(&w, HD_EV_COND_SIGNAL, 3);
    happen(&w, HD_EV_COND_WAIT, 2); /* too late for the token */
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 1), HD_RUN_OK);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 2), HD_RUN_BLOCKED);
    happen(&w, HD_EV_COND_WAKE, 1); /* and relocks */
    happen(&w, HD_EV_COND_BROADCAST, 3);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 2), HD_RUN_BLOCKED);
    happen(&w, HD_EV_COND_WAIT, 1);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 2), HD_RUN_OK);
}

/* Reversals ask about orders that cannot be: nothing may overflow. */
static void who_leaves_before_it_came_leaves_nothing_behind(void **state)
{
    struct world w = fresh();

    (void)state;
    happen(&w, HD_EV_COND_WAKE, 1);
    happen(&w, HD_EV_COND_BROADCAST, 0);
    assert_int_equal(w.queue.sync.ntokens, 0);
    assert_int_equal(w.queue.sync.nwaiters, 0);
}

/* A cancelled waiter leaves its token to the others; where there are none, it is lost, and the next
 * waiter gets a signal of its own. */
static void a_token_without_a_waiter_is_lost(void **state)
{
    struct world w = fresh();
    struct hd_event cancelled = event(HD_EV_COND_WAKE, 1);

    (void)state;
    cancelled.value = HD_WAKE_CANCELLED;
    happen(&w, HD_EV_COND_WAIT, 1);
    happen(&w, HD_EV_COND_SIGNAL, 2);
    hd_automaton_queue_event(&w.queue, &cancelled);
    happen(&w, HD_EV_COND_WAIT, 3);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 3), HD_RUN_BLOCKED);
    happen(&w, HD_EV_COND_SIGNAL, 2);
    assert_int_equal(would(&w, HD_EV_COND_WAKE, 3), HD_RUN_OK);
}

static void only_a_timed_wait_times_out(void **state)
{
    struct world w = fresh();
    struct hd_event wake = event(HD_EV_COND_WAKE, 1);

    (void)state;
    happen(&w, HD_EV_COND_WAIT, 1);
    assert_int_equal(hd_automaton_run(&w.lock, &w.queue, &wake), HD_RUN_BLOCKED);
    wake.aux = HD_AUX_TIMED;
    assert_int_equal(hd_automaton_run(&w.lock, &w.queue, &wake), HD_RUN_FAILS);
    happen(&w, HD_EV_COND_SIGNAL, 2);
    assert_int_equal(hd_automaton_run(&w.lock, &w.queue, &wake), HD_RUN_OK);
}

static void a_barrier_opens_when_its_round_is_full(void **state)
{
    struct world w = fresh();
    struct hd_event init = event(HD_EV_BARRIER_INIT, 0);

    (void)state;
    init.value = 2;
    hd_automaton_lock_event(&w.lock, &init);
    happen(&w, HD_EV_BARRIER_ARRIVE, 1);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 1), HD_RUN_BLOCKED);
    happen(&w, HD_EV_BARRIER_ARRIVE, 2);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 1), HD_RUN_FAILS); /* it commutes with others */
    happen(&w, HD_EV_BARRIER_ARRIVE, 3);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 3), HD_RUN_BLOCKED);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 2), HD_RUN_FAILS);
}

static void who_leaves_a_barrier_first_wins_where_somebody_looks(void **state)
{
    struct world w = fresh();
    struct hd_event init = event(HD_EV_BARRIER_INIT, 0), looks = event(HD_EV_BARRIER_ARRIVE, 2);

    (void)state;
    init.value = 2;
    looks.aux = 1;
    hd_automaton_lock_event(&w.lock, &init);
    happen(&w, HD_EV_BARRIER_ARRIVE, 1);
    hd_automaton_lock_event(&w.lock, &looks);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 1), HD_RUN_OK);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 2), HD_RUN_OK);
    happen(&w, HD_EV_BARRIER_LEAVE, 1);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 2), HD_RUN_FAILS);
    happen(&w, HD_EV_BARRIER_ARRIVE, 1); /* the next round: no thread looks */
    happen(&w, HD_EV_BARRIER_ARRIVE, 3);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 1), HD_RUN_FAILS);
    assert_int_equal(would(&w, HD_EV_BARRIER_LEAVE, 2), HD_RUN_FAILS); /* of the round before */
}

static void a_barrier_is_destroyed_after_those_who_may_leave(void **state)
{
    struct world w = fresh();
    struct hd_event init = event(HD_EV_BARRIER_INIT, 0);

    (void)state;
    init.value = 2;
    hd_automaton_lock_event(&w.lock, &init);
    happen(&w, HD_EV_BARRIER_ARRIVE, 1);
    assert_int_equal(would(&w, HD_EV_BARRIER_DESTROY, 0), HD_RUN_OK); /* a mistake, but possible */
    happen(&w, HD_EV_BARRIER_ARRIVE, 2);
    happen(&w, HD_EV_BARRIER_LEAVE, 2);
    assert_int_equal(would(&w, HD_EV_BARRIER_DESTROY, 0), HD_RUN_BLOCKED);
    happen(&w, HD_EV_BARRIER_LEAVE, 1);
    assert_int_equal(would(&w, HD_EV_BARRIER_DESTROY, 0), HD_RUN_OK);
}

static void an_abandoned_mutex_is_free(void **state)
{
    struct world w = fresh();

    (void)state;
    happen(&w, HD_EV_MUTEX_LOCK, 1);
    happen(&w, HD_EV_MUTEX_ABANDON, 1);
    assert_int_equal(would(&w, HD_EV_MUTEX_LOCK, 2), HD_RUN_OK);
}

static void once_join_and_exit(void **state)
{
    struct world w = fresh();

    (void)state;
    happen(&w, HD_EV_ONCE_BEGIN, 1);
    assert_int_equal(would(&w, HD_EV_ONCE_BEGIN, 2), HD_RUN_BLOCKED);
    happen(&w, HD_EV_ONCE_END, 1);
    assert_int_equal(would(&w, HD_EV_ONCE_BEGIN, 2), HD_RUN_FAILS);
    w = fresh();
    assert_int_equal(would(&w, HD_EV_THREAD_JOIN, 0), HD_RUN_BLOCKED);
    assert_int_equal(would(&w, HD_EV_THREAD_TRYJOIN, 0), HD_RUN_FAILS);
    happen(&w, HD_EV_THREAD_END, 1);
    assert_int_equal(would(&w, HD_EV_THREAD_TRYJOIN, 0), HD_RUN_OK);
    assert_int_equal(would(&w, HD_EV_THREAD_JOIN, 0), HD_RUN_OK);
    w = fresh();
    assert_int_equal(would(&w, HD_EV_EXIT_BEGIN, 0), HD_RUN_OK);
    happen(&w, HD_EV_EXIT_BEGIN, 1);
    assert_int_equal(would(&w, HD_EV_EXIT_BEGIN, 0), HD_RUN_BLOCKED);
}

/* Joining it is a mistake, but not one that waits. */
static void who_is_created_detached_is_not_waited_for(void **state)
{
    struct hd_event create = event(HD_EV_THREAD_CREATE, 0);
    struct world w = fresh();

    (void)state;
    hd_automaton_lock_event(&w.lock, &create);
    assert_int_equal(would(&w, HD_EV_THREAD_JOIN, 0), HD_RUN_BLOCKED);
    create.aux = 1;
    hd_automaton_lock_event(&w.lock, &create);
    assert_int_equal(would(&w, HD_EV_THREAD_JOIN, 0), HD_RUN_FAILS);
}

static void a_stream_that_is_held_cannot_be_used(void **state)
{
    struct world w = fresh();

    (void)state;
    assert_int_equal(would(&w, HD_EV_STATE_WRITE, 2), HD_RUN_OK);
    happen(&w, HD_EV_MUTEX_LOCK, 1);
    assert_int_equal(would(&w, HD_EV_STATE_WRITE, 2), HD_RUN_FAILS);
    assert_int_equal(would(&w, HD_EV_STATE_UPDATE, 2), HD_RUN_FAILS);
    assert_int_equal(would(&w, HD_EV_STATE_WRITE, 1), HD_RUN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_has_one_owner),
        cmocka_unit_test(readers_share_and_writers_do_not),
        cmocka_unit_test(a_semaphore_counts),
        cmocka_unit_test(a_token_is_for_those_who_waited),
        cmocka_unit_test(who_leaves_before_it_came_leaves_nothing_behind),
        cmocka_unit_test(a_token_without_a_waiter_is_lost),
        cmocka_unit_test(only_a_timed_wait_times_out),
        cmocka_unit_test(a_barrier_opens_when_its_round_is_full),
        cmocka_unit_test(who_leaves_a_barrier_first_wins_where_somebody_looks),
        cmocka_unit_test(a_barrier_is_destroyed_after_those_who_may_leave),
        cmocka_unit_test(an_abandoned_mutex_is_free),
        cmocka_unit_test(once_join_and_exit),
        cmocka_unit_test(who_is_created_detached_is_not_waited_for),
        cmocka_unit_test(a_stream_that_is_held_cannot_be_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
