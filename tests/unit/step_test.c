/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step_test.c - what a step touches when it is made of several operations. */
#include "support/unit.h"

#include "search/step.h"

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

static void too_many_objects_conflict_with_everything(void **state)
{
    struct hd_event e[HD_STEP_ACCESSES + 1], other = on(HD_EV_ATOMIC_LOAD, 99);

    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(e); i++)
        e[i] = on(HD_EV_ATOMIC_LOAD, i + 1);
    struct hd_step s = hd_step_make(0, e, HD_STEP_ACCESSES), o = hd_step_make(1, &other, 1);

    assert_false(hd_step_conflict(&s, &o));
    s = hd_step_make(0, e, COUNT_OF(e));
    assert_true(hd_step_conflict(&s, &o));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_accesses_to_an_object_are_one),
        cmocka_unit_test(merging_changes_no_conflict),
        cmocka_unit_test(too_many_objects_conflict_with_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
