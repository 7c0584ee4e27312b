/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict_test.c - the lockset detector: which operations take a lock away from a thread, and
 * which do not. */
#include "support/unit.h"

#include <sys/mman.h>

#include "detect/predict.h"

enum { M = 1, OBJECTS = 8, X = 0x7000 };

static unsigned races;
static struct hd_predict detector;

static void note(void *ctx, const struct hd_race *race)
{
    (void)ctx;
    (void)race;
    races++;
}

static void does(hd_tid tid, enum hd_kind kind, uint64_t value)
{
    struct hd_event e = { .tid = tid, .kind = (uint8_t)kind, .obj = M, .peer = HD_NO_TID, .value = value };

    hd_predict_event(&detector, &e, 0);
}

static void writes(hd_tid tid)
{
    hd_predict_access(&detector, tid, X, 4, true, 1000u + tid);
}

/* T1 takes the lock, gives it up by that kind of operation and writes; T2 writes inside a section.
 * How many races are predicted? */
static unsigned races_after(enum hd_kind takes, enum hd_kind gives)
{
    races = 0;
    hd_predict_begin(&detector);
    does(0, HD_EV_THREAD_CREATE, 1);
    does(0, HD_EV_THREAD_CREATE, 2);
    does(1, takes, 0);
    if (gives != HD_EV_NONE)
        does(1, gives, 0);
    writes(1);
    if (gives == HD_EV_NONE)
        does(1, HD_EV_MUTEX_UNLOCK, 0);
    does(2, HD_EV_MUTEX_LOCK, 0);
    writes(2);
    does(2, HD_EV_MUTEX_UNLOCK, 0);
    return races;
}

static void a_lock_protects_until_it_is_given_up(void **state)
{
    (void)state;
    assert_int_equal(races_after(HD_EV_MUTEX_LOCK, HD_EV_NONE), 0);
    assert_int_equal(races_after(HD_EV_COND_WAKE, HD_EV_NONE), 0);
    assert_int_equal(races_after(HD_EV_MUTEX_LOCK, HD_EV_MUTEX_UNLOCK), 1);
    assert_int_equal(races_after(HD_EV_MUTEX_LOCK, HD_EV_COND_WAIT), 1);
    assert_int_equal(races_after(HD_EV_SPIN_LOCK, HD_EV_SPIN_UNLOCK), 1);
}

/* A thread that ends with a robust mutex gives it up, too. */
static void an_abandoned_lock_is_given_up(void **state)
{
    (void)state;
    assert_int_equal(races_after(HD_EV_MUTEX_LOCK, HD_EV_MUTEX_ABANDON), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_protects_until_it_is_given_up),
        cmocka_unit_test(an_abandoned_lock_is_given_up),
    };
    static struct hd_arena arena;

    arena.size = UINT64_C(1) << 31;
    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena.base == MAP_FAILED)
        return 1;
    hd_predict_init(&detector, &arena, OBJECTS, note, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
