/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_table_test.c - lines of text about the searches of Quicksand. */
#include "support/unit.h"

#include "campaign/search/job_table.h"

static const struct {
    double seconds, least, most;
    bool holds;
    const char *text;
} estimates[] = {
    { 1, -1, -1, true, "" },                                       /* not known */
    { 1, 0, 0, true, "" },                                         /* over */
    { 1, 3, 3, true, ", 25%, 3 s left" },                          /* one estimate: 1 of 4 seconds */
    { 1, 1, 3, true, ", 25 to 50%, 1 to 3 s left" },               /* 1 of 4, 1 of 2 */
    { 1, 2.999, 3, true, ", 25%, 3 s left" },                      /* they differ in what is not shown */
    { 1, 1, 3, false, ", more than 3 s left" },                     /* they grow as time passes */
    { 1, 0, 3, true, ", 25 to 100%, 0 to 3 s left" },              /* one of them says that it is done */
};

static void both_estimates_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(estimates); i++) {
        struct hd_result_job job = { .seconds = estimates[i].seconds, .left = estimates[i].most,
                                     .left_least = estimates[i].least, .holds = estimates[i].holds };
        char text[192];

        hd_job_table_estimate(&job, text, sizeof text);
        assert_string_equal(text, estimates[i].text);
    }
}

static void print(struct hd_result_quicksand *q, char *text, size_t cap)
{
    FILE *f = fmemopen(text, cap, "w");

    hd_job_table_print(f, q);
    fclose(f);
}

static struct hd_result_job *add(struct hd_result_quicksand *q, const char *kind, const char *state)
{
    struct hd_result_job *job = &q->job[q->njobs++];

    *job = (struct hd_result_job){ .left = -1, .begun = strcmp(state, "not begun") != 0 };
    snprintf(job->kind, sizeof job->kind, "%s", kind);
    snprintf(job->points, sizeof job->points, "%s", kind);
    snprintf(job->state, sizeof job->state, "%s", state);
    return job;
}

/* Where the verdict says all, there is no table.  Where the search was interrupted early, there is one. */
static void the_table_is_there_when_it_says_more(void **state)
{
    static struct hd_result_quicksand q;
    char text[2000] = "";

    (void)state;
    add(&q, "sampling", "not finished");
    struct hd_result_job *maximal = add(&q, "maximal", "not finished");
    struct hd_result_job *set = add(&q, "set", "not begun");

    print(&q, text, sizeof text);
    assert_non_null(strstr(text, "sampling"));
    assert_non_null(strstr(text, "1 more set was not begun"));
    snprintf(maximal->state, sizeof maximal->state, "explored");
    memset(text, 0, sizeof text);
    print(&q, text, sizeof text);
    assert_string_equal(text, "");
    set->begun = true;
    print(&q, text, sizeof text);
    assert_non_null(strstr(text, "explored"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_estimates_are_shown),
        cmocka_unit_test(the_table_is_there_when_it_says_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
