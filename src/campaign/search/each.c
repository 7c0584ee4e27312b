/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.c - runs one search per test, prints the table of all tests and writes the report files. */
#include "campaign/search/each.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/search/exits.h"
#include "campaign/search/search_one.h"
#include "campaign/session/session.h"
#include "program/frameworks.h"

struct each {
    const struct hd_options *o;
    struct hd_tests tests;
    struct hd_one_result *results; /* one per test */
    struct hd_outputs outputs;
    struct hd_text text;
    bool interrupted;
};

/* ---- the exit code of all tests ------------------------------------------------------ */

static int worst(const struct each *e)
{
    int code = e->interrupted ? HD_EXIT_BUDGET : HD_EXIT_CLEAN;

    for (unsigned i = 0; i < e->tests.n; i++)
        code = hd_exit_worse(code, e->results[i].code);
    return code;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static bool was_run(const struct each *e, unsigned i)
{
    return e->results[i].ran || e->results[i].code != HD_EXIT_CLEAN;
}

static const char *word(const struct each *e, unsigned i)
{
    static const char *const words[] = { "clean", "FAILED", "incomplete", "DIVERGED", "ERROR" };
    const struct hd_one_result *r = &e->results[i];

    if (!was_run(e, i))
        return "skipped";
    return r->ran ? words[r->verdict] : "ERROR";
}

static const char *remark(const struct each *e, unsigned i)
{
    if (e->tests.all[i].skipped != NULL)
        return e->tests.all[i].skipped;
    return was_run(e, i) ? e->results[i].what : "interrupted";
}

static void row(const struct each *e, unsigned i, int width)
{
    const struct hd_one_result *r = &e->results[i];
    char number[32] = "", time[32] = "", line[700];
    enum hd_ink ink = strcmp(word(e, i), "clean") == 0 ? HD_INK_GOOD : HD_INK_BAD;

    if (r->ran) {
        hd_text_number(r->executions, number, sizeof number);
        snprintf(time, sizeof time, "%.2f s", r->seconds);
    }
    fprintf(e->text.out, "%-*s  ", width, e->tests.all[i].name);
    snprintf(line, sizeof line, "%-10s", word(e, i));
    if (was_run(e, i) && r->code != HD_EXIT_BUDGET)
        hd_text_ink(&e->text, ink, line);
    else
        fputs(line, e->text.out);
    fprintf(e->text.out, " %12s  %9s", number, time);
    if (remark(e, i)[0] != '\0')
        fprintf(e->text.out, "  %.*s", 60, remark(e, i));
    fputc('\n', e->text.out);
}

static unsigned count(const struct each *e, const char *what)
{
    unsigned n = 0;

    for (unsigned i = 0; i < e->tests.n; i++)
        n += strcmp(word(e, i), what) == 0;
    return n;
}

static void table(const struct each *e)
{
    static const char *const words[] = { "FAILED", "ERROR", "DIVERGED", "incomplete", "clean", "skipped" };
    const char *before = ": ";
    int width = 4;

    for (unsigned i = 0; i < e->tests.n; i++)
        if ((int)strlen(e->tests.all[i].name) > width)
            width = (int)strlen(e->tests.all[i].name);
    hd_text_ink(&e->text, HD_INK_HEAD, "Tests");
    fprintf(e->text.out, " of %s (%s)\n%-*s  %-10s %12s  %9s\n", e->o->args[0],
            hd_framework_name(e->tests.framework), width, "test", "verdict", "executions", "time");
    for (unsigned i = 0; i < e->tests.n; i++)
        row(e, i, width);
    fprintf(e->text.out, "%u test%s", e->tests.n, e->tests.n == 1 ? "" : "s");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (count(e, words[k]) > 0) {
            fprintf(e->text.out, "%s%u %s", before, count(e, words[k]), words[k]);
            before = ", ";
        }
    fputc('\n', e->text.out);
}

/* ---- running the tests --------------------------------------------------------------- */

static void run_test(struct each *e, unsigned i)
{
    const struct hd_test *t = &e->tests.all[i];
    struct hd_one one = { .argv = hd_test_argv(e->tests.framework, e->o->args, t->name),
                          .test = t->name, .suite = hd_framework_suite(e->tests.framework, t->name),
                          .preloads = hd_framework_preloads(e->tests.framework) };

    if (!e->o->quiet) {
        fprintf(e->text.out, "[%u/%u] ", i + 1, e->tests.n);
        hd_text_ink(&e->text, HD_INK_HEAD, t->name);
        fputc('\n', e->text.out);
    }
    hd_search_one(e->o, &e->outputs, &one, &e->results[i]);
    if (!e->o->quiet)
        fputc('\n', e->text.out);
    hd_test_argv_free(one.argv, e->o->args);
    e->interrupted |= e->results[i].interrupted;
}

static void run_all(struct each *e)
{
    for (unsigned i = 0; i < e->tests.n; i++) {
        const struct hd_test *t = &e->tests.all[i];

        if (t->skipped == NULL && !e->interrupted)
            run_test(e, i);
        else
            hd_outputs_skip(&e->outputs, &(struct hd_result){
                                .program = e->o->args[0], .name = e->o->test_name, .test = t->name,
                                .suite = hd_framework_suite(e->tests.framework, t->name) },
                            t->skipped != NULL ? t->skipped : "interrupted");
    }
}

/* Returns false, after a message, if a file could not be written. */
static bool write_files(struct each *e, int code)
{
    const char **skipped = hd_zeroed(e->tests.n, sizeof *skipped);
    struct hd_each_result all = { .framework = hd_framework_name(e->tests.framework),
                                  .verdict = hd_exit_verdict(code), .exit_code = code, .skipped = skipped };

    for (unsigned i = 0; i < e->tests.n; i++)
        if (!was_run(e, i))
            skipped[all.nskipped++] = e->tests.all[i].name;
    bool ok = hd_outputs_write(&e->outputs, e->o->args[0], &all);

    free(skipped);
    return ok;
}

static int run_tests(struct each *e)
{
    e->results = hd_zeroed(e->tests.n, sizeof *e->results);
    hd_outputs_open(&e->outputs, e->o);
    run_all(e);
    int code = worst(e);

    if (!e->o->quiet)
        table(e);
    fflush(e->text.out);
    if (!write_files(e, code) && code != HD_EXIT_FINDING)
        code = HD_EXIT_USAGE;
    hd_outputs_close(&e->outputs);
    free(e->results);
    return code;
}

int hd_each(const struct hd_options *o)
{
    struct each e = { .o = o, .text = { .out = hd_outputs_take_stdout(o) ? stderr : stdout } };
    struct hd_elf_info elf;
    int code = HD_EXIT_USAGE;

    e.text.color = hd_terminal_color(o->color, e.text.out);
    if (!hd_outputs_writable(o) || !hd_session_inspect(o->args[0], &elf) ||
        !hd_outputs_spare(o, elf.path, "the program"))
        return HD_EXIT_USAGE;
    if (hd_tests_find(&e.tests, &elf, o->args))
        code = run_tests(&e);
    hd_tests_free(&e.tests);
    return code;
}
