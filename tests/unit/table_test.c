/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table_test.c - the interleaving: what is folded, which threads have columns, what is marked. */
#include "support/made.h"

#include "report/evidence/decisive.h"
#include "report/text/finding.h"
#include "report/text/table.h"

/* ---- folding --------------------------------------------------------------------------- */

/* Rounds that are the same are one, with their number, of one operation and of two. */
static void loops_are_folded(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 2);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10);

    (void)state;
    for (int i = 0; i < 14; i++)
        event(m, 0, HD_EV_ATOMIC_LOAD, x, 2u << HD_EVF_SIZE_SHIFT, 0);
    for (int i = 0; i < 9; i++) {
        event(m, 0, HD_EV_ATOMIC_LOAD, x, 2u << HD_EVF_SIZE_SHIFT, 1);
        event(m, 0, HD_EV_YIELD, 0, 0, 0);
    }
    event(m, 0, HD_EV_ATOMIC_LOAD, x, 2u << HD_EVF_SIZE_SHIFT, 2);
    char *text = rendered(hd_text_table, m);

    want_line(text, "    1 load 0x10 = 0 x 14 ");
    want_line(text, "   15 load 0x10 = 1 x 9 ");
    want_line(text, "   16 yield x 9 ");
    want_line(text, ">  33 load 0x10 = 2 "); /* the last look is what failed */
    assert_int_equal(count_lines(text), 6); /* the head, these and the failure */
    unmake(m);
}

/* Values differ, so nothing repeats itself: rows are left out in the middle, but neither those
 * that are marked nor the end. */
static void long_stretches_are_folded(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 2);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10);
    struct hd_explanation why = { .event = { 50 }, .nevents = 1 };

    (void)state;
    for (int i = 0; i < 300; i++)
        event(m, i % 7 == 0, HD_EV_ATOMIC_LOAD, x, i % 7 == 0 ? HD_EVF_PREEMPTED : 0, (uint64_t)i);
    m->report.why = &why;
    char *text = rendered(hd_text_table, m);

    assert_true(count_lines(text) <= 62);
    want_line(text, ">  51 ");
    want_line(text, "... steps ");
    want_line(text, "\n  300 ");
    assert_null(strstr(text, "\n  150 "));
    assert_null(strstr(text, "... step ")); /* the row itself takes as much room */
    want_width(text);
    text = rendered(whole, m);
    assert_true(count_lines(text) <= HD_TEXT_LINES + 1); /* and an empty line */
    unmake(m);
}

/* Nothing is folded, and what is no operation is shown as well. */
static void everything_is_shown_on_demand(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 1);
    static char buf[65536];
    FILE *f = fmemopen(buf, sizeof buf, "w");
    struct hd_text t = { .out = f, .all = true };

    (void)state;
    for (int i = 0; i < 200; i++)
        event(m, 0, HD_EV_USER_POINT, 0, 0, 0);
    hd_text_table(&t, &m->report);
    fclose(f);
    assert_int_equal(count_lines(buf), 202);
    unmake(m);
}

/* Eight threads, two of which are marked: these have columns. */
static void others_share_a_column(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 1, 8);
    struct hd_explanation why = { .event = { 2 }, .nevents = 1 };

    (void)state;
    for (hd_tid t = 0; t < 8; t++)
        event(m, t, HD_EV_USER_POINT, 0, t > 0 ? HD_EVF_PREEMPTED : 0, 0);
    m->report.why = &why;
    char *text = rendered(hd_text_table, m);

    want_line(text, " step T1 ");
    want_line(text, " T2 ");
    want_line(text, " others ");
    want_line(text, " main: point ");
    want_line(text, " point                    (main preempted) ");
    want_line(text, ">   3 (preempted)  point ");
    want_line(text, " T5: point (T4 preempted) ");
    want_width(text);
    unmake(m);
}

/* All of many threads take part: none is special. */
static void many_threads_become_a_list(void **state)
{
    struct made *m = make(HD_FK_DEADLOCK, HD_NO_TID, 8);

    (void)state;
    for (hd_tid t = 0; t < 8; t++) {
        uint32_t lock = object(m, HD_OBJ_MUTEX, 0xa0u + t);

        event(m, t, HD_EV_MUTEX_LOCK, lock, t > 0 ? HD_EVF_PREEMPTED : 0, 0);
        m->pending[t] = (struct hd_event){ .tid = t, .kind = HD_EV_MUTEX_LOCK, .obj = 1 + (t + 1u) % 8 };
        m->holds[t] = (struct hd_hold){ lock, t, 0 };
        m->stands[t] = (struct hd_stand){ t, HD_BLOCKED_STATE_IN_CYCLE, (t + 1u) % 8, 0 };
    }
    m->report.nholds = m->report.nstands = 8;
    m->report.stands = m->stands;
    char *text = rendered(whole, m);

    want_line(text, " step all threads ");
    want_line(text, ">   1 main: lock 0xa0 ");
    want_line(text, ">   3 T2: lock 0xa2 (T1 preempted) ");
    assert_null(strstr(text, "waits: ")); /* it has been said */
    want_width(text);
    unmake(m);
}

/* ---- decisive events ------------------------------------------------------------------- */

static void want_decisive(struct made *m, unsigned n, const uint32_t *want)
{
    struct hd_decisive d;

    hd_decisive_find(&m->report, &d);
    assert_int_equal(d.n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(d.event[i], want[i]);
}

/* By hand: T1 loads, T2 stores in between, T1 stores; main only looks at it in the end. */
static void an_access_in_between_is_decisive(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 3);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10), y = object(m, HD_OBJ_MEMORY, 0x20);

    (void)state;
    event(m, 0, HD_EV_ATOMIC_STORE, x, 0, 0);
    event(m, 1, HD_EV_ATOMIC_LOAD, x, 0, 0);
    event(m, 1, HD_EV_ATOMIC_LOAD, y, 0, 0);
    event(m, 2, HD_EV_ATOMIC_LOAD, x, 0, 0);
    event(m, 2, HD_EV_ATOMIC_STORE, x, 0, 1);
    event(m, 1, HD_EV_ATOMIC_STORE, x, 0, 1);
    for (hd_tid t = 1; t <= 2; t++) {
        event(m, 0, HD_EV_THREAD_JOIN, 0, 0, 0);
        m->events[m->report.nevents - 1].peer = t;
    }
    event(m, 0, HD_EV_ATOMIC_LOAD, x, 0, 1);
    want_decisive(m, 3, (const uint32_t[]){ 1, 4, 5 });
    /* a serial order gives the same where both write and the other reads nothing between */
    m->events[1].kind = HD_EV_ATOMIC_STORE;
    m->events[3].kind = HD_EV_USER_POINT;
    want_decisive(m, 2, (const uint32_t[]){ 4, 5 });
    unmake(m);
}

/* T1 has read the object that main is about to write. */
static void what_comes_too_late_is_decisive(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 1, 2);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10);

    (void)state;
    event(m, 0, HD_EV_THREAD_CREATE, 0, 0, 0);
    event(m, 1, HD_EV_ATOMIC_LOAD, x, 0, 0);
    m->pending[0] = (struct hd_event){ .kind = HD_EV_ATOMIC_STORE, .obj = x };
    want_decisive(m, 1, (const uint32_t[]){ 1 });
    want_line(rendered(whole, m), ">     next: store 0x10");
    m->pending[0].kind = HD_EV_ATOMIC_LOAD; /* two reads are in no order */
    assert_null(strstr(rendered(whole, m), "next: "));
    unmake(m);
}

/* Critical sections, where no access to memory was seen. */
static void a_section_in_between_is_decisive(void **state)
{
    struct made *m = make(HD_FK_EXIT_CODE, 0, 3);
    uint32_t lock = object(m, HD_OBJ_MUTEX, 0x10);
    static const hd_tid by[] = { 1, 2, 1 };

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        event(m, by[i], HD_EV_MUTEX_LOCK, lock, 0, 0);
        event(m, by[i], HD_EV_MUTEX_UNLOCK, lock, 0, 0);
    }
    want_decisive(m, 3, (const uint32_t[]){ 0, 2, 4 });
    unmake(m);
}

/* What a comparison has told goes before what would be guessed; an index from elsewhere is
 * not trusted. */
static void an_explanation_is_shown_as_it_is(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 2);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10);
    struct hd_explanation why = { .sentence = "fails because T1's store came before main's load",
                                  .event = { 0, 77 }, .nevents = 2 };

    (void)state;
    strcpy(m->head.message, "assertion `x' failed");
    event(m, 0, HD_EV_USER_POINT, 0, 0, 0);
    event(m, 1, HD_EV_ATOMIC_STORE, x, HD_EVF_PREEMPTED, 1);
    event(m, 0, HD_EV_ATOMIC_LOAD, x, 0, 1);
    want_line(rendered(whole, m), "(> marks what to look at first)");
    m->report.why = &why;
    want_decisive(m, 1, (const uint32_t[]){ 0 });
    char *text = rendered(whole, m);

    want_line(text, "assertion `x' failed\nwhy: fails because T1's store came before main's load\n");
    want_line(text, "(> marks what is decisive)");
    want_line(text, ">   1 point");
    want_line(text, "    2 ");
    unmake(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_folded),
        cmocka_unit_test(long_stretches_are_folded),
        cmocka_unit_test(everything_is_shown_on_demand),
        cmocka_unit_test(others_share_a_column),
        cmocka_unit_test(many_threads_become_a_list),
        cmocka_unit_test(an_access_in_between_is_decisive),
        cmocka_unit_test(what_comes_too_late_is_decisive),
        cmocka_unit_test(a_section_in_between_is_decisive),
        cmocka_unit_test(an_explanation_is_shown_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
