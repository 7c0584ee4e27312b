/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step_test.c - what a step touches when it is made of several operations. */
#include "support/unit.h"

#include "base/rng.h"
#include "search/core/step.h"

static struct hd_event on(enum hd_kind kind, uint32_t obj)
{
    return (struct hd_event){ .kind = (uint8_t)kind, .obj = obj };
}

static bool touches(const struct hd_step *s, uint32_t obj, enum hd_access access)
{
    for (unsigned i = 0; i < s->naccesses; i++)
        if (s->on[i].obj == obj)
            return s->on[i].access == (unsigned)access;
    return false;
}

static void two_accesses_to_an_object_are_one(void **state)
{
    struct hd_event e[] = { on(HD_EV_ATOMIC_LOAD, 1), on(HD_EV_ATOMIC_STORE, 1),
                            on(HD_EV_ATOMIC_LOAD, 2), on(HD_EV_ATOMIC_LOAD, 2),
                            on(HD_EV_SEM_GETVALUE, 3), on(HD_EV_SEM_POST, 3) };
    struct hd_step s = hd_step_make(0, e, COUNT_OF(e));

    (void)state;
    assert_int_equal(s.naccesses, 3);
    assert_int_equal(s.flags, 0);
    assert_true(touches(&s, 1, HD_ACC_W));
    assert_true(touches(&s, 2, HD_ACC_R));
    assert_true(touches(&s, 3, HD_ACC_W)); /* it reads what others add to, and adds */
}

/* The merged access conflicts with exactly what one of its parts conflicts with. */
static void merging_changes_no_conflict(void **state)
{
    static const enum hd_kind kinds[] = { HD_EV_SEM_GETVALUE, HD_EV_SEM_POST, HD_EV_SEM_WAIT };

    (void)state;
    for (size_t a = 0; a < COUNT_OF(kinds); a++)
        for (size_t b = 0; b < COUNT_OF(kinds); b++)
            for (size_t c = 0; c < COUNT_OF(kinds); c++) {
                struct hd_event both[] = { on(kinds[a], 1), on(kinds[b], 1) };
                struct hd_event other = on(kinds[c], 1);
                struct hd_step s = hd_step_make(0, both, 2), o = hd_step_make(1, &other, 1);
                struct hd_step first = hd_step_make(0, both, 1), second = hd_step_make(0, both + 1, 1);

                assert_int_equal(hd_step_conflict(&s, &o),
                                 hd_step_conflict(&first, &o) || hd_step_conflict(&second, &o));
            }
}

#define MANY (HD_STEP_ACCESSES + 5)

static const enum hd_kind by_access[] = { HD_EV_SEM_GETVALUE, HD_EV_SEM_POST, HD_EV_SEM_WAIT };

static struct hd_step random_step(uint16_t slot, struct hd_event *e, unsigned n, struct hd_rng *rng)
{
    for (unsigned i = 0; i < n; i++)
        e[i] = on(by_access[hd_rng_below(rng, 3)], 100 + hd_rng_below(rng, 64));
    return hd_step_make(slot, e, n);
}

/* However many objects two steps touch, they conflict exactly if two of their events do. */
static void many_objects_conflict_with_what_they_touch(void **state)
{
    struct hd_rng rng = hd_rng_for(1, 1);
    unsigned conflicts = 0, many = 0;

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        struct hd_event a[MANY], b[MANY];
        unsigned n = 1 + hd_rng_below(&rng, MANY), m = 1 + hd_rng_below(&rng, MANY);
        struct hd_step s = random_step(0, a, n, &rng), o = random_step(1, b, m, &rng);
        bool expected = false;

        for (unsigned k = 0; k < n * m; k++) {
            struct hd_step x = hd_step_make(0, &a[k / m], 1), y = hd_step_make(1, &b[k % m], 1);

            expected |= hd_step_conflict(&x, &y);
        }
        assert_int_equal(hd_step_conflict(&s, &o), expected);
        conflicts += expected;
        many += (s.flags & HD_STEP_MANY) != 0;
    }
    assert_true(conflicts > 300 && conflicts < 2700 && many > 300 && many < 2700);
}

/* Of more objects than there are bits two may seem to be one: never the other way round. */
static void objects_with_one_bit_are_taken_for_one(void **state)
{
    struct hd_event e[HD_STEP_ACCESSES + 1], same = on(HD_EV_ATOMIC_STORE, 1 + 64);
    struct hd_event all = on(HD_EV_ATOMIC_LOAD, 99);

    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(e); i++)
        e[i] = on(HD_EV_ATOMIC_LOAD, i + 1);
    struct hd_step s = hd_step_make(0, e, HD_STEP_ACCESSES), o = hd_step_make(1, &same, 1);

    assert_false(hd_step_conflict(&s, &o));
    s = hd_step_make(0, e, COUNT_OF(e));
    assert_true(hd_step_conflict(&s, &o));
    o = hd_step_make(1, &all, 1);
    assert_false(hd_step_conflict(&s, &o));
    o.flags |= HD_STEP_ALL;
    assert_true(hd_step_conflict(&s, &o));
}

/* The accesses of the last step of v are unknown; the step that was executed first decides. */
static void a_step_that_was_done_tells_what_another_will_do(void **state)
{
    struct hd_event x = on(HD_EV_ATOMIC_STORE, 1), y = on(HD_EV_ATOMIC_STORE, 2);
    struct hd_step first = hd_step_make(0, &x, 1), last = hd_step_make(1, &y, 1), done = last;
    const struct hd_step *v[] = { &first, &last };
    struct hd_step nothing_known = { .slot = 1 };

    (void)state;
    last.flags |= HD_STEP_ALL;
    assert_true(hd_step_weak_initial(&done, v, 2));
    assert_false(hd_step_initial(&nothing_known, v, 2));
    done = hd_step_make(1, &x, 1);
    assert_false(hd_step_weak_initial(&done, v, 2));
}

#define LENGTH 7

/* What a sequence has noted about its steps changes no answer. */
static void a_sequence_answers_as_its_steps_do(void **state)
{
    struct hd_rng rng = hd_rng_for(2, 1);
    unsigned initial = 0, beside = 0;

    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        struct hd_step step[LENGTH], q;
        const struct hd_step *v[LENGTH];
        struct hd_event e[MANY];

        for (unsigned k = 0; k < LENGTH; k++) {
            unsigned n = hd_rng_below(&rng, 8) == 0 ? MANY : 1 + hd_rng_below(&rng, 2);

            step[k] = random_step((uint16_t)hd_rng_below(&rng, 6), e, n, &rng);
            v[k] = &step[k];
        }
        q = random_step((uint16_t)hd_rng_below(&rng, 8), e, 1, &rng);
        if (hd_rng_below(&rng, 8) == 0)
            q = (struct hd_step){ .slot = q.slot, .flags = HD_STEP_CHOICE, .alt = 1, .n = 2 };
        struct hd_sequence s = { .v = v, .n = LENGTH };
        bool expected = hd_step_weak_initial(&q, v, LENGTH);

        for (unsigned again = 0; again < 2; again++)
            assert_int_equal(hd_sequence_weak_initial(&q, &s), expected);
        initial += expected;
        beside += expected && hd_step_first_of(v, LENGTH, q.slot) == LENGTH;
    }
    assert_true(initial > 1000 && initial < 4500 && beside > 500 && beside < initial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_accesses_to_an_object_are_one),
        cmocka_unit_test(merging_changes_no_conflict),
        cmocka_unit_test(many_objects_conflict_with_what_they_touch),
        cmocka_unit_test(objects_with_one_bit_are_taken_for_one),
        cmocka_unit_test(a_step_that_was_done_tells_what_another_will_do),
        cmocka_unit_test(a_sequence_answers_as_its_steps_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
