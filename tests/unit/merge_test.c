/* SPDX-License-Identifier: BSD-2-Clause
 *
 * merge_test.c - findings and totals of several workers as one.  The wires are real;
 * the workers are this test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "conductor/merge.h"

enum { WORKERS = 3, MAX_GOT = 16 };

struct team {
    struct hd_wires wires;
    struct hd_merge merge;
    uint64_t got[MAX_GOT]; /* signatures, in the order in which they were handed on */
    uint64_t execution[MAX_GOT];
    unsigned ngot;
};

static void begin(struct team *t, bool by_index, bool keep_going)
{
    memset(t, 0, sizeof *t);
    assert_true(hd_wires_create(&t->wires, WORKERS));
    t->merge.wires = &t->wires;
    for (uint32_t i = 0; i < WORKERS; i++) {
        t->wires.wire[i]->config.by_index = by_index;
        t->wires.wire[i]->config.keep_going = keep_going;
        t->wires.wire[i]->phase = HD_PHASE_RUNNING;
    }
}

static void end(struct team *t)
{
    hd_merge_free(&t->merge);
    hd_wires_destroy(&t->wires);
}

/* The last record of that worker is a warning. */
static void only_warns(struct team *t, uint32_t w)
{
    const struct hd_finding *last = NULL;

    for (const struct hd_finding *f = hd_wire_finding_first(t->wires.wire[w]); f != NULL;
         f = hd_wire_finding_next(t->wires.wire[w], f))
        last = f;
    ((struct hd_finding *)(uintptr_t)last)->warning = HD_WARN_LOCK_ORDER;
}

/* Worker w has a finding in its own execution k, with this schedule of two steps. */
static void finds(struct team *t, uint32_t w, uint64_t k, uint64_t signature, uint16_t first,
                  uint16_t second)
{
    struct hd_wire *wire = t->wires.wire[w];
    struct {
        struct hd_finding f;
        struct hd_section s;
        struct hd_decision d[2];
        struct hd_section last;
    } record = { .f = { .size = sizeof record, .number = ++wire->nfindings, .signature = signature,
                        .index = k * WORKERS + w, .execution = k * WORKERS + w + 1 },
                 .s = { .type = HD_SEC_DECISIONS, .count = 2, .bytes = sizeof record.d },
                 .d = { { first, 0, 0 }, { second, 0, 0 } } };

    memcpy(wire->findings + wire->findings_used, &record, sizeof record);
    wire->findings_used += sizeof record;
}

static void has_done(struct team *t, uint32_t w, uint64_t begun)
{
    struct hd_campaign *c = &t->wires.wire[w]->campaign;

    c->totals[c->current & 1].begun = c->totals[c->current & 1].executions = begun;
}

static void keep(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    struct team *t = ctx;

    (void)wire;
    assert_true(t->ngot < MAX_GOT);
    t->execution[t->ngot] = f->execution;
    t->got[t->ngot++] = f->signature;
}

static void look(struct team *t, bool at_end)
{
    hd_merge_findings(&t->merge, at_end, keep, t);
}

static void a_finding_waits_for_smaller_indices(void **state)
{
    struct team t;

    (void)state;
    begin(&t, true, true);
    finds(&t, 2, 5, 70, 0, 0); /* index 17 */
    has_done(&t, 2, 6);
    has_done(&t, 0, 4);
    has_done(&t, 1, 9);
    look(&t, false); /* worker 0 stands before index 12 */
    assert_int_equal(t.ngot, 0);
    finds(&t, 0, 4, 60, 0, 0); /* index 12 */
    has_done(&t, 0, 5);        /* stands before 15 */
    look(&t, false);
    assert_int_equal(t.ngot, 1);
    assert_int_equal(t.got[0], 60);
    t.wires.wire[0]->phase = HD_PHASE_DONE; /* it will never do 15 */
    look(&t, false);
    assert_int_equal(t.ngot, 2);
    assert_int_equal(t.got[1], 70);
    end(&t);
}

/* The same finding of two workers, the later one first in time. */
static void the_smallest_index_is_kept(void **state)
{
    struct team t;

    (void)state;
    begin(&t, true, true);
    finds(&t, 1, 8, 5, 0, 0);
    finds(&t, 2, 3, 5, 0, 0);
    finds(&t, 0, 1, 6, 0, 0);
    look(&t, true);
    assert_int_equal(t.ngot, 2);
    assert_true(t.got[0] == 6 && t.execution[0] == 4);
    assert_true(t.got[1] == 5 && t.execution[1] == 12);
    end(&t);
}

static void a_search_that_stops_has_one_execution_with_findings(void **state)
{
    struct team t;

    (void)state;
    begin(&t, true, false);
    finds(&t, 1, 8, 5, 0, 0);
    finds(&t, 2, 3, 7, 0, 0);
    finds(&t, 2, 3, 8, 0, 0); /* in the same execution */
    look(&t, true);
    assert_int_equal(t.ngot, 2);
    assert_true(t.got[0] == 7 && t.got[1] == 8);
    end(&t);
}

/* A warning ends no search, so what comes after it is not too late; after a finding it is. */
static void a_warning_ends_nothing(void **state)
{
    struct team t;

    (void)state;
    begin(&t, true, false);
    finds(&t, 0, 1, 5, 0, 0);
    only_warns(&t, 0);
    finds(&t, 2, 3, 7, 0, 0);
    finds(&t, 1, 8, 6, 0, 0);
    only_warns(&t, 1);
    look(&t, true);
    assert_int_equal(t.ngot, 2);
    assert_true(t.got[0] == 5 && t.got[1] == 7);
    assert_int_equal(t.merge.first_execution, 12);
    end(&t);
}

static void findings_without_index_come_by_schedule(void **state)
{
    struct team t;

    (void)state;
    begin(&t, false, true);
    finds(&t, 0, 0, 1, 2, 0);
    finds(&t, 1, 0, 2, 1, 1);
    finds(&t, 2, 0, 3, 1, 0);
    finds(&t, 2, 1, 1, 0, 0); /* known, with a smaller schedule */
    has_done(&t, 0, 10);
    has_done(&t, 1, 20);
    has_done(&t, 2, 30);
    look(&t, false);
    assert_int_equal(t.ngot, 3);
    assert_true(t.got[0] == 1 && t.got[1] == 3 && t.got[2] == 2);
    assert_int_equal(t.execution[0], 60); /* all that were done when it was noticed */
    end(&t);
}

static void totals_are_summed(void **state)
{
    struct team t;
    struct hd_totals sum;
    static const struct hd_totals one[WORKERS] = {
        { .executions = 10, .redundant = 1, .over_bound = 1, .assumed = 2, .begun = 13, .buggy = 2, .first_buggy = 4,
          .bound = 1, .at_bound = 9, .steps_max = 7, .threads_max = 3, .trace_hash = UINT64_MAX, .complete = 1,
          .bug_bound_set = 1, .bug_bound = 1, .exhausted = 1 },
        { .executions = 20, .begun = 20, .buggy = 1, .first_buggy = 3, .bound = 2, .at_bound = 5,
          .steps_max = 9, .threads_max = 2, .trace_hash = 3, .complete = 1, .exhausted = 1 },
        { .executions = 5, .begun = 5, .bound = 2, .at_bound = 4, .buggy_at_bound = 0,
          .steps_max = 1, .threads_max = 2, .exhausted = 1 },
    };

    (void)state;
    begin(&t, true, true);
    for (uint32_t i = 0; i < WORKERS; i++)
        t.wires.wire[i]->campaign.totals[0] = one[i];
    hd_merge_totals(&t.merge, &sum);
    assert_true(sum.executions == 35 && sum.redundant == 1 && sum.over_bound == 1 && sum.assumed == 2);
    assert_true(sum.begun == 38 && sum.buggy == 3);
    assert_int_equal(sum.first_buggy, 8); /* index 2 * 3 + 1 of worker 1; of worker 0 it is 9 */
    assert_true(sum.bound == 2 && sum.at_bound == 9); /* of the bound worked on last */
    assert_true(sum.bug_bound_set == 1 && sum.bug_bound == 1);
    assert_true(sum.steps_max == 9 && sum.threads_max == 3);
    assert_int_equal(sum.trace_hash, 2); /* a sum: no order */
    assert_true(sum.exhausted == 1 && sum.complete == 0); /* only if all are */
    end(&t);
}

/* Threads have the same slot and findings the same smallest index, whichever worker comes first. */
static void the_common_part_is_one_for_all(void **state)
{
    struct team t;
    struct hd_slot slots[HD_MAX_THREADS];

    (void)state;
    begin(&t, true, true);
    struct hd_common *c = t.wires.common;

    for (uint32_t i = 0; i < WORKERS; i++)
        assert_ptr_equal(t.wires.wire[i]->common, c);
    assert_int_equal(hd_common_slot(c, 0, 0), 1);
    assert_int_equal(hd_common_slot(c, 1, 0), 2);
    assert_int_equal(hd_common_slot(c, 0, 1), 3);
    assert_int_equal(hd_common_slot(c, 1, 0), 2);
    assert_int_equal(hd_common_slots(c, slots), 4);
    assert_true(slots[2].parent == 1 && slots[2].nth == 0);
    for (uint32_t i = 4; i < HD_MAX_THREADS; i++)
        assert_int_equal(hd_common_slot(c, 0, i), i);
    assert_int_equal(hd_common_slot(c, 2, 0), HD_MAX_THREADS);
    hd_common_found(c, 9);
    hd_common_found(c, 4);
    hd_common_found(c, 6);
    assert_int_equal(c->found, 5);
    end(&t);
}

/* Even signatures are suppressed. */
static enum hd_judgement judge(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    unsigned *asked = ctx;

    (void)wire;
    assert_int_equal(f->judgement, HD_NOT_JUDGED);
    ++*asked;
    return f->signature % 2 == 0 ? HD_SUPPRESSED : HD_COUNTS;
}

static void suppressed_findings_do_not_stop_a_search(void **state)
{
    struct team t;
    unsigned asked = 0;

    (void)state;
    begin(&t, true, false);
    t.merge.judge = judge;
    t.merge.ctx = &asked;
    finds(&t, 2, 5, 8, 1, 0); /* index 17 */
    look(&t, false);
    assert_int_equal(asked, 1); /* at once: its worker waits, long before it is handed on */
    assert_int_equal(t.ngot, 0);
    finds(&t, 0, 0, 4, 1, 0);  /* index 0, suppressed: does not end it */
    finds(&t, 1, 1, 7, 1, 0);  /* index 4, counts: ends it */
    finds(&t, 0, 1, 4, 1, 0);  /* the same as the first */
    look(&t, true);
    assert_int_equal(asked, 4);
    assert_int_equal(t.ngot, 2);
    assert_true(t.got[0] == 4 && t.got[1] == 7); /* 8 comes too late */
    assert_true(t.merge.stopped_index == 4 && t.merge.first_execution == 5);
    end(&t);
}

/* By some calls it is suppressed, by others not: both are reported, each once. */
static void one_place_may_be_both(void **state)
{
    struct team t;
    unsigned asked = 0;

    (void)state;
    begin(&t, false, true);
    t.merge.judge = judge;
    t.merge.ctx = &asked;
    finds(&t, 0, 0, 6, 1, 0);
    finds(&t, 1, 0, 6, 1, 1);
    look(&t, false);
    assert_int_equal(t.ngot, 1);
    t.merge.judge = NULL; /* the next one counts */
    finds(&t, 1, 1, 6, 1, 2);
    look(&t, true);
    assert_int_equal(t.ngot, 2);
    assert_true(t.got[0] == 6 && t.got[1] == 6);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppressed_findings_do_not_stop_a_search),
        cmocka_unit_test(one_place_may_be_both),
        cmocka_unit_test(a_finding_waits_for_smaller_indices),
        cmocka_unit_test(the_smallest_index_is_kept),
        cmocka_unit_test(a_search_that_stops_has_one_execution_with_findings),
        cmocka_unit_test(a_warning_ends_nothing),
        cmocka_unit_test(findings_without_index_come_by_schedule),
        cmocka_unit_test(totals_are_summed),
        cmocka_unit_test(the_common_part_is_one_for_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
