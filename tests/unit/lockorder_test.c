/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lockorder_test.c - executions written out by hand, each with the answer that a person
 * gives: could these threads have met in the middle? */
#include "support/unit.h"

#include <string.h>

#include "detect/lockorder.h"

enum { A = 1, B, C, G, S, X, T1 = 20, T2, T3, COND = 30, TOKENS };

static struct hd_lock_order room;
static struct hd_event log_[4 * HD_MAX_THREADS];
static uint32_t n;
static unsigned cycles, length, ruled_out;
static struct hd_lock_step first[HD_MAX_THREADS];

static void begin(void)
{
    memset(log_, 0, sizeof log_);
    n = cycles = 0;
}

static void does(hd_tid tid, enum hd_kind kind, uint32_t obj)
{
    log_[n] = (struct hd_event){ .tid = tid, .kind = (uint8_t)kind, .obj = obj, .peer = HD_NO_TID,
                                 .pc = 1000 + n };
    n++;
}

static void lock(hd_tid tid, uint32_t obj)
{
    does(tid, HD_EV_MUTEX_LOCK, obj);
}

static void unlock(hd_tid tid, uint32_t obj)
{
    does(tid, HD_EV_MUTEX_UNLOCK, obj);
}

static void nested(hd_tid tid, uint32_t outer, uint32_t inner)
{
    lock(tid, outer);
    lock(tid, inner);
    unlock(tid, inner);
    unlock(tid, outer);
}

static void note(void *ctx, const struct hd_lock_step *steps, unsigned count)
{
    (void)ctx;
    cycles++;
    length = count;
    memcpy(first, steps, count * sizeof *steps);
}

static unsigned found(void)
{
    cycles = 0;
    ruled_out = hd_lock_order_look(&room, log_, n, note, NULL);
    return cycles;
}

static void opposite_orders_are_a_cycle(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    nested(2, B, A);
    assert_int_equal(found(), 1);
    assert_int_equal(length, 2);
    assert_int_equal(first[0].tid, 1);
    assert_int_equal(first[0].held, A);
    assert_int_equal(first[0].wanted, B);
    assert_int_equal(first[0].held_at, 0);
    assert_int_equal(first[0].wanted_at, 1);
    assert_int_equal(first[0].wanted_pc, 1001);
    assert_int_equal(first[1].tid, 2);
    assert_int_equal(first[1].held, B);
    assert_int_equal(first[1].wanted, A);
    assert_int_equal(first[1].held_at, 4);
}

static void equal_orders_and_one_thread_are_none(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    nested(2, A, B);
    assert_int_equal(found(), 0);
    begin();
    nested(1, A, B);
    nested(1, B, A);
    assert_int_equal(found(), 0);
    assert_int_equal(ruled_out, 0);
}

static void a_common_gate_forbids_it(void **state)
{
    (void)state;
    begin();
    lock(1, G);
    nested(1, A, B);
    unlock(1, G);
    lock(2, G);
    nested(2, B, A);
    unlock(2, G);
    assert_int_equal(found(), 0);
}

static void readers_of_a_gate_do_not(void **state)
{
    (void)state;
    for (int writes = 0; writes < 2; writes++) {
        begin();
        does(1, HD_EV_RWLOCK_RDLOCK, G);
        nested(1, A, B);
        does(1, HD_EV_RWLOCK_RDUNLOCK, G);
        does(2, writes ? HD_EV_RWLOCK_WRLOCK : HD_EV_RWLOCK_RDLOCK, G);
        nested(2, B, A);
        does(2, writes ? HD_EV_RWLOCK_WRUNLOCK : HD_EV_RWLOCK_RDUNLOCK, G);
        assert_int_equal(found(), writes ? 0 : 1);
    }
}

static void two_readers_do_not_wait_for_each_other(void **state)
{
    (void)state;
    begin();
    does(1, HD_EV_RWLOCK_RDLOCK, A);
    does(1, HD_EV_RWLOCK_RDLOCK, B);
    does(1, HD_EV_RWLOCK_RDUNLOCK, B);
    does(1, HD_EV_RWLOCK_RDUNLOCK, A);
    does(2, HD_EV_RWLOCK_WRLOCK, B);
    does(2, HD_EV_RWLOCK_RDLOCK, A);
    assert_int_equal(found(), 0);
    log_[5].kind = HD_EV_RWLOCK_WRLOCK;
    assert_int_equal(found(), 1);
}

static void what_does_not_wait_is_no_request(void **state)
{
    static const enum hd_kind kinds[] = { HD_EV_MUTEX_TRYLOCK, HD_EV_MUTEX_TIMEDLOCK };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin();
        nested(1, A, B);
        lock(2, B);
        does(2, kinds[i], A);
        unlock(2, A);
        unlock(2, B);
        assert_int_equal(found(), 0);
        /* but what was tried is held */
        begin();
        nested(1, A, B);
        does(2, kinds[i], B);
        lock(2, A);
        assert_int_equal(found(), 1);
        log_[4].flags = HD_EVF_FAILED;
        assert_int_equal(found(), 0);
    }
}

static void creation_and_join_order_threads(void **state)
{
    (void)state;
    begin();
    nested(0, A, B);
    does(0, HD_EV_THREAD_CREATE, T1);
    does(1, HD_EV_THREAD_START, T1);
    nested(1, B, A);
    assert_int_equal(found(), 0);
    assert_int_equal(ruled_out, 1);
    begin();
    does(0, HD_EV_THREAD_CREATE, T1);
    does(1, HD_EV_THREAD_START, T1);
    nested(1, B, A);
    does(1, HD_EV_THREAD_END, T1);
    does(0, HD_EV_THREAD_JOIN, T1);
    nested(0, A, B);
    assert_int_equal(found(), 0);
    /* a third thread that is joined orders nothing between the others */
    begin();
    does(0, HD_EV_THREAD_CREATE, T1);
    does(0, HD_EV_THREAD_CREATE, T2);
    does(1, HD_EV_THREAD_START, T1);
    nested(1, B, A);
    does(1, HD_EV_THREAD_END, T1);
    does(2, HD_EV_THREAD_START, T2);
    nested(2, A, B);
    assert_int_equal(found(), 1);
}

static void a_message_orders_threads(void **state)
{
    static const enum hd_kind pairs[][2] = { { HD_EV_SEM_POST, HD_EV_SEM_WAIT },
                                             { HD_EV_ATOMIC_STORE, HD_EV_ATOMIC_LOAD },
                                             { HD_EV_BARRIER_ARRIVE, HD_EV_BARRIER_LEAVE },
                                             { HD_EV_ONCE_END, HD_EV_ONCE_BEGIN } };

    (void)state;
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        begin();
        nested(1, A, B);
        does(1, pairs[i][0], S);
        does(2, pairs[i][1], S);
        nested(2, B, A);
        assert_int_equal(found(), 0);
        assert_int_equal(ruled_out, 1);
        /* the other way round nothing was said */
        begin();
        does(1, pairs[i][1], S);
        nested(1, A, B);
        does(2, pairs[i][0], S);
        nested(2, B, A);
        assert_int_equal(found(), 1);
    }
}

static void a_signal_orders_threads(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    does(1, HD_EV_COND_SIGNAL, COND);
    log_[n - 1].obj2 = TOKENS;
    does(2, HD_EV_COND_WAKE, C);
    log_[n - 1].obj2 = TOKENS;
    unlock(2, C);
    nested(2, B, A);
    assert_int_equal(found(), 0);
    log_[n - 6].obj2 = 0; /* a thread that it did not wake learns nothing */
    assert_int_equal(found(), 1);
}

/* if (done, under another lock) take them in the other order */
static void a_section_of_another_lock_may_have_told(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    lock(1, C);
    unlock(1, C);
    lock(2, C);
    unlock(2, C);
    nested(2, B, A);
    assert_int_equal(found(), 0);
    /* the order of arrival proves nothing */
    begin();
    lock(2, C);
    unlock(2, C);
    nested(1, A, B);
    lock(1, C);
    unlock(1, C);
    nested(2, B, A);
    assert_int_equal(found(), 1);
}

/* the same with a lock of the cycle: the section before the one in which it waits */
static void an_earlier_section_of_the_same_lock_may_have_told(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    lock(2, B);
    unlock(2, B);
    nested(2, B, A);
    assert_int_equal(found(), 0);
}

/* T3 tells T2 from inside a section of B: then T2 can hold B only after that section */
static void a_lock_must_have_been_given_up(void **state)
{
    (void)state;
    begin();
    lock(3, B);
    does(3, HD_EV_ATOMIC_STORE, X);
    does(3, HD_EV_ATOMIC_LOAD, S);
    unlock(3, B);
    does(2, HD_EV_ATOMIC_LOAD, X);
    nested(2, B, A);
    nested(1, A, B);
    assert_int_equal(found(), 1);
    /* and if that depends on later operations of T1, never */
    begin();
    lock(3, B);
    does(3, HD_EV_ATOMIC_STORE, X);
    lock(1, A);
    lock(1, C);
    unlock(1, C);
    does(1, HD_EV_ATOMIC_STORE, S);
    unlock(1, A);
    does(3, HD_EV_ATOMIC_LOAD, S);
    unlock(3, B);
    does(2, HD_EV_ATOMIC_LOAD, X);
    lock(2, B);
    lock(2, C);
    lock(2, A);
    assert_int_equal(found(), 0);
}

static void three_threads_in_a_ring(void **state)
{
    (void)state;
    begin();
    nested(1, A, B);
    nested(2, B, C);
    nested(3, C, A);
    assert_int_equal(found(), 1);
    assert_int_equal(length, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(first[i].wanted, first[(i + 1) % 3].held);
}

/* Holding A while waiting with C: the wake-up wants C again. */
/* Philosophers: each takes the fork of its own number, then the next one; the last takes fork 1. */
static void a_ring_of_any_length_is_found(void **state)
{
    (void)state;
    for (unsigned threads = 3; threads < HD_LOCK_REQUESTS; threads = threads < 12 ? threads + 1 : threads * 2) {
        begin();
        for (unsigned t = 1; t <= threads; t++)
            nested((hd_tid)t, t, t == threads ? 1 : t + 1);
        assert_int_equal(found(), 1);
        assert_int_equal(length, threads);
        assert_int_equal(first[threads - 1].wanted, 1);
    }
}

/* One philosopher who takes the forks in the other order breaks the ring, whatever its length. */
static void a_ring_with_one_order_reversed_is_none(void **state)
{
    (void)state;
    begin();
    for (unsigned t = 1; t < 12; t++)
        nested((hd_tid)t, t, t + 1);
    nested(12, 1, 12);
    assert_int_equal(found(), 0);
    assert_int_equal(ruled_out, 0);
}

/* Every thread nests all pairs of 10 locks in the same order; only two more threads form a cycle. */
static void a_short_cycle_is_found_among_many_paths(void **state)
{
    enum { LOCKS = 10 };

    (void)state;
    begin();
    for (unsigned a = 1; a < LOCKS; a++)
        for (unsigned b = a + 1; b <= LOCKS; b++)
            nested((hd_tid)a, a, b);
    nested(LOCKS + 1, LOCKS, 1);
    assert_true(found() >= 1);
}

static void a_wake_up_wants_its_mutex(void **state)
{
    (void)state;
    begin();
    lock(1, A);
    lock(1, C);
    does(1, HD_EV_COND_WAIT, C);
    does(2, HD_EV_MUTEX_LOCK, C);
    does(2, HD_EV_COND_SIGNAL, COND);
    log_[n - 1].obj2 = TOKENS;
    lock(2, A);
    unlock(2, A);
    unlock(2, C);
    does(1, HD_EV_COND_WAKE, C);
    log_[n - 1].obj2 = TOKENS;
    assert_true(found() >= 1);
}

static void loops_do_not_use_up_the_room(void **state)
{
    static struct hd_event many[4 * 4000];
    uint32_t at = 0;

    (void)state;
    for (unsigned i = 0; i < 3999; i++, at += 4) {
        begin();
        nested(1, A, C);
        for (unsigned k = 0; k < 4; k++)
            many[at + k] = log_[k];
    }
    begin();
    nested(2, C, A);
    memcpy(many + at, log_, 4 * sizeof *many);
    cycles = 0;
    hd_lock_order_look(&room, many, at + 4, note, NULL);
    assert_true(cycles > 0 && cycles <= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_orders_are_a_cycle),
        cmocka_unit_test(equal_orders_and_one_thread_are_none),
        cmocka_unit_test(a_common_gate_forbids_it),
        cmocka_unit_test(readers_of_a_gate_do_not),
        cmocka_unit_test(two_readers_do_not_wait_for_each_other),
        cmocka_unit_test(what_does_not_wait_is_no_request),
        cmocka_unit_test(creation_and_join_order_threads),
        cmocka_unit_test(a_message_orders_threads),
        cmocka_unit_test(a_signal_orders_threads),
        cmocka_unit_test(a_section_of_another_lock_may_have_told),
        cmocka_unit_test(an_earlier_section_of_the_same_lock_may_have_told),
        cmocka_unit_test(a_lock_must_have_been_given_up),
        cmocka_unit_test(three_threads_in_a_ring),
        cmocka_unit_test(a_ring_of_any_length_is_found),
        cmocka_unit_test(a_ring_with_one_order_reversed_is_none),
        cmocka_unit_test(a_short_cycle_is_found_among_many_paths),
        cmocka_unit_test(a_wake_up_wants_its_mutex),
        cmocka_unit_test(loops_do_not_use_up_the_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
