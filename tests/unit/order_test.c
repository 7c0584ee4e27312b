/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order_test.c - the arrows of the HTML report: which events happen before which.  Expected
 * edges follow from C11 and POSIX, and from what a person would draw. */
#include "campaign/setup/order.h"

#include <string.h>

#include "support/unit.h"

enum { MUTEX = 1, OTHER, FLAG, SEM };

static struct hd_event ev(hd_tid tid, enum hd_kind kind, uint32_t obj)
{
    return (struct hd_event){ .tid = tid, .kind = (uint8_t)kind, .obj = obj, .aux = 5 };
}

static struct hd_event create(hd_tid tid, hd_tid child)
{
    struct hd_event e = ev(tid, HD_EV_THREAD_CREATE, 10u + child);

    e.value = child;
    e.peer = child;
    return e;
}

/* Exactly these edges, in this order. */
static void expect(const struct hd_event *events, uint32_t n, const uint32_t (*edges)[2], size_t nedges)
{
    struct hd_order o = hd_order_of(events, n);

    assert_int_equal(o.n, nedges);
    for (size_t i = 0; i < nedges; i++) {
        assert_int_equal(o.edges[i].from, edges[i][0]);
        assert_int_equal(o.edges[i].to, edges[i][1]);
    }
    hd_order_free(&o);
}

#define EXPECT(events, ...)                                                       \
    do {                                                                          \
        static const uint32_t edges_[][2] = { __VA_ARGS__ };                      \
        expect(events, sizeof events / sizeof *events, edges_,                    \
               sizeof edges_ / sizeof *edges_);                                   \
    } while (0)

static void test_nothing(void **state)
{
    (void)state;
    expect(NULL, 0, NULL, 0);
    const struct hd_event alone[] = { ev(0, HD_EV_MUTEX_LOCK, MUTEX), ev(0, HD_EV_MUTEX_UNLOCK, MUTEX) };

    expect(alone, 2, NULL, 0);
}

static void test_life_of_a_thread(void **state)
{
    const struct hd_event events[] = { create(0, 1), ev(1, HD_EV_THREAD_START, 11), ev(1, HD_EV_THREAD_END, 11),
                                       ev(0, HD_EV_THREAD_JOIN, 11) };

    (void)state;
    EXPECT(events, { 0, 1 }, { 2, 3 });
}

/* From each unlock to the next lock only: the older ones follow from that. */
static void test_a_mutex_is_a_chain(void **state)
{
    const struct hd_event events[] = {
        create(0, 1), create(0, 2),                                                  /* 0, 1 */
        ev(1, HD_EV_THREAD_START, 11), ev(1, HD_EV_MUTEX_LOCK, MUTEX),                /* 2, 3 */
        ev(1, HD_EV_MUTEX_UNLOCK, MUTEX), ev(2, HD_EV_THREAD_START, 12),              /* 4, 5 */
        ev(2, HD_EV_MUTEX_LOCK, MUTEX), ev(2, HD_EV_MUTEX_UNLOCK, MUTEX),             /* 6, 7 */
        ev(0, HD_EV_MUTEX_LOCK, MUTEX),                                              /* 8 */
    };

    (void)state;
    EXPECT(events, { 0, 2 }, { 1, 5 }, { 4, 6 }, { 7, 8 });
}

/* Different mutexes order nothing, nor does an attempt that failed. */
static void test_no_edge_where_nothing_is_ordered(void **state)
{
    struct hd_event events[] = {
        create(0, 1), ev(1, HD_EV_THREAD_START, 11), ev(1, HD_EV_MUTEX_LOCK, MUTEX),
        ev(1, HD_EV_MUTEX_UNLOCK, MUTEX), ev(0, HD_EV_MUTEX_LOCK, OTHER), ev(0, HD_EV_MUTEX_TRYLOCK, MUTEX),
    };

    (void)state;
    events[5].flags = HD_EVF_FAILED;
    EXPECT(events, { 0, 1 });
}

/* A relaxed load acquires nothing; the same load with acquire does. */
static void test_atomics_by_their_order(void **state)
{
    struct hd_event events[] = { create(0, 1), ev(1, HD_EV_THREAD_START, 11), ev(1, HD_EV_ATOMIC_STORE, FLAG),
                                 ev(0, HD_EV_ATOMIC_LOAD, FLAG), ev(0, HD_EV_ATOMIC_LOAD, FLAG) };

    (void)state;
    events[3].aux = 0; /* relaxed */
    events[4].aux = 2; /* acquire */
    EXPECT(events, { 0, 1 }, { 2, 4 });
}

/* A wait after two posts comes after both: neither follows from the other. */
static void test_two_origins(void **state)
{
    const struct hd_event events[] = {
        create(0, 1), create(0, 2), ev(1, HD_EV_THREAD_START, 11), ev(2, HD_EV_THREAD_START, 12),
        ev(1, HD_EV_SEM_POST, SEM), ev(2, HD_EV_SEM_POST, SEM), ev(0, HD_EV_SEM_WAIT, SEM),
    };

    (void)state;
    EXPECT(events, { 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 6 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_life_of_a_thread),
        cmocka_unit_test(test_a_mutex_is_a_chain),
        cmocka_unit_test(test_no_edge_where_nothing_is_ordered),
        cmocka_unit_test(test_atomics_by_their_order),
        cmocka_unit_test(test_two_origins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
