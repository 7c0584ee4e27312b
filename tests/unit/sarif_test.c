/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_test.c - the interleaving of a finding as a list of steps and as thread flows.
 * Findings are made by hand, on a wire without modules: what can be known of places is
 * tested with real programs (tests/formats). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/evidence/steps.h"
#include "report/sarif/sarif.h"

/* An execution of two threads: main stores, T1 preempts it and loads; then main fails. */
struct made {
    struct hd_common common;
    struct hd_object_info objects[2];
    struct hd_finding finding;
    struct hd_event events[4];
    struct hd_thread_info threads[2];
    struct hd_event pending[2];
    struct hd_explanation why;
    struct hd_wire *wire;
    struct hd_report report;
};

static struct made *make(void)
{
    struct made *m = calloc(1, sizeof *m);

    m->wire = calloc(1, sizeof *m->wire);
    m->wire->common = &m->common;
    m->common.objects = m->objects;
    m->common.nobjects = 2;
    m->objects[1] = (struct hd_object_info){ .type = HD_OBJ_MUTEX, .addr = 0xa0 };
    m->finding = (struct hd_finding){ .kind = HD_FK_ASSERTION, .tid = 0, .execution = 1 };
    m->events[0] = (struct hd_event){ .tid = 0, .kind = HD_EV_THREAD_CREATE, .peer = 1 };
    m->events[1] = (struct hd_event){ .tid = 0, .kind = HD_EV_ATOMIC_STORE, .obj = 1, .value = 5,
                                      .flags = 2 << HD_EVF_SIZE_SHIFT };
    m->events[2] = (struct hd_event){ .tid = 1, .kind = HD_EV_FAULT_MALLOC, .value = 0,
                                      .flags = HD_EVF_CHOICE };
    m->events[3] = (struct hd_event){ .tid = 1, .kind = HD_EV_ATOMIC_LOAD, .obj = 1, .value = 5,
                                      .flags = HD_EVF_PREEMPTED | 2 << HD_EVF_SIZE_SHIFT };
    m->report = (struct hd_report){ .wire = m->wire, .finding = &m->finding, .events = m->events,
                                    .nevents = 4, .threads = m->threads, .nthreads = 2,
                                    .pending = m->pending, .npending = 2,
                                    .symbols = hd_symbols_open(NULL, 0) };
    return m;
}

static void unmake(struct made *m)
{
    hd_symbols_close(m->report.symbols);
    free(m->wire);
    free(m);
}

static void steps_are_in_the_order_of_time(void **state)
{
    struct made *m = make();
    struct hd_steps s;
    char text[200];

    (void)state;
    hd_steps_of(&m->report, &s);
    assert_int_equal(s.n, 4); /* the fault that did not happen is none */
    assert_int_equal(s.all[1].type, HD_STEP_EVENT);
    assert_false(s.all[1].switched);
    assert_true(s.all[2].switched && s.all[2].tid == 1);
    assert_int_equal(s.all[3].type, HD_STEP_FAILS);
    assert_true(s.all[3].switched && s.all[3].tid == 0 && s.all[3].decisive);
    for (unsigned i = 0; i < 3; i++)
        assert_false(s.all[i].decisive);
    hd_step_text(&m->report, &s.all[1], text, sizeof text);
    assert_string_equal(text, "store 0xa0 = 5");
    hd_step_text(&m->report, &s.all[3], text, sizeof text);
    assert_string_equal(text, "assertion");
    hd_steps_free(&s);
    unmake(m);
}

static void a_deadlock_ends_with_who_waits(void **state)
{
    struct made *m = make();
    struct hd_steps s;
    char text[200];

    (void)state;
    m->finding.kind = HD_FK_DEADLOCK;
    m->finding.tid = HD_NO_TID;
    m->threads[0].state = m->threads[1].state = HD_TH_LIVE;
    m->pending[0] = (struct hd_event){ .kind = HD_EV_THREAD_JOIN, .peer = 1 };
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_MUTEX_LOCK, .obj = 1 };
    hd_steps_of(&m->report, &s);
    assert_int_equal(s.n, 5);
    assert_true(s.all[3].type == HD_STEP_WAITS && s.all[3].decisive && s.all[3].tid == 0);
    hd_step_text(&m->report, &s.all[3], text, sizeof text);
    assert_string_equal(text, "waits: join T1");
    hd_step_text(&m->report, &s.all[4], text, sizeof text);
    assert_string_equal(text, "waits: lock 0xa0");
    hd_steps_free(&s);
    unmake(m);
}

static void want(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("missing: %s\nin: %s", part, text);
}

static void the_explanation_is_told(void **state)
{
    struct made *m = make();
    struct hd_sarif sarif;

    (void)state;
    hd_sarif_open(&sarif);
    snprintf(m->why.sentence, sizeof m->why.sentence, "fails because \"this\" came first");
    m->why.event[0] = 3;
    m->why.nevents = 1;
    char *without = hd_sarif_finding(&sarif, &m->report, "it fails");

    m->report.why = &m->why;
    char *text = hd_sarif_finding(&sarif, &m->report, "it fails");

    want(without, "\"message\": {\"text\": \"it fails\"}");
    want(without, "\"executionOrder\": 3, \"importance\": \"important\"");
    want(text, "\"message\": {\"text\": \"it fails; fails because \\\"this\\\" came first\"}");
    want(text, "\"executionOrder\": 1, \"importance\": \"unimportant\"");
    want(text, "\"executionOrder\": 3, \"importance\": \"essential\", \"state\": {\"0xa0\": {\"text\": \"5\"}}");
    want(text, "\"executionOrder\": 4, \"importance\": \"essential\", \"kinds\": [\"danger\"]");
    free(without);
    free(text);
    hd_sarif_close(&sarif);
    unmake(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_in_the_order_of_time),
        cmocka_unit_test(a_deadlock_ends_with_who_waits),
        cmocka_unit_test(the_explanation_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
