/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rechecks.c - runs all schedules of a directory again, prints what became of each and writes the
 * report files.  Each schedule is one test of the report.
 *
 * If an execution fails, its schedule is saved for this build, in a separate directory.  In the same directory,
 * the next recheck would run it as well. */
#include "campaign/search/rechecks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/vec.h"
#include "campaign/findings/findings.h"
#include "campaign/rerun/recheck.h"
#include "campaign/rerun/recorded.h"
#include "campaign/search/exits.h"
#include "conductor/signals.h"
#include "conductor/store.h"
#include "report/names/symbols.h"
#include "report/print/shell.h"

enum { NEAR = 300, BUDGET_MS = 10000, WORDS = HD_RECHECK_GONE + 1 };

struct rechecks {
    const struct hd_options *o;
    struct hd_options with; /* options for one schedule: with another output directory */
    char failures[4096];    /* the other directory: for the schedules of executions that fail */
    char **files;
    size_t n;
    unsigned count[WORDS];
    const char **skipped; /* files */
    unsigned nskipped;
    struct hd_outputs outputs;
    struct hd_text text;
    int code;
    bool interrupted;
};

static const char *const words[WORDS] = {
    [HD_RECHECK_UNKNOWN] = "not known", [HD_RECHECK_FAILS] = "FAILS as before",
    [HD_RECHECK_OTHERWISE] = "FAILS otherwise", [HD_RECHECK_PASSES] = "passes now",
    [HD_RECHECK_GONE] = "does not apply any more",
};

/* The words in JSON. */
static const char *const outcomes[WORDS] = {
    [HD_RECHECK_UNKNOWN] = "unknown", [HD_RECHECK_FAILS] = "fails", [HD_RECHECK_OTHERWISE] = "fails-otherwise",
    [HD_RECHECK_PASSES] = "passes", [HD_RECHECK_GONE] = "does-not-apply",
};

/* ---- the sentence ------------------------------------------------------------------------------ */

static void say_followed(const struct hd_rechecked *c, char *buf, size_t cap)
{
    int n = snprintf(buf, cap, "%u of %u switches followed", c->followed, c->switches);

    if (c->held > 0)
        snprintf(buf + n, cap - (size_t)n, ", %u of them after a wait that was not recorded", c->held);
}

static void say(const struct hd_rechecked *c, const struct hd_schedule *then, const char *message, char *buf,
                size_t cap)
{
    char followed[120], tried[80];

    say_followed(c, followed, sizeof followed);
    snprintf(tried, sizeof tried, "%llu executions near it pass", (unsigned long long)c->beside);
    switch (c->end) {
    case HD_RECHECK_FAILS:
        snprintf(buf, cap, "%s%s", c->near ? "in an execution near the schedule: " : "", message);
        break;
    case HD_RECHECK_OTHERWISE:
        snprintf(buf, cap, "not with %s, but: %s", hd_finding_kind_text(then->kind), message);
        break;
    case HD_RECHECK_PASSES:
        if (c->exact)
            snprintf(buf, cap, "no %s; the program makes exactly the recorded operations",
                     hd_finding_kind_text(then->kind));
        else
            snprintf(buf, cap, "no %s; %s; %s", hd_finding_kind_text(then->kind), followed, tried);
        break;
    case HD_RECHECK_GONE:
        snprintf(buf, cap, "%s; what came before the others is not there any more; %s", followed, tried);
        break;
    default:
        snprintf(buf, cap, c->executions == 0 ? "it could not be run: 'heddle run' tells why"
                                              : "an execution did not end in time; give more with --budget");
    }
}

/* ---- one schedule ------------------------------------------------------------------------------ */

static int code_of(const struct hd_rechecked *c)
{
    switch (c->end) {
    case HD_RECHECK_FAILS:
    case HD_RECHECK_OTHERWISE:
        return HD_EXIT_FINDING;
    case HD_RECHECK_PASSES:
        return HD_EXIT_CLEAN;
    default:
        return c->executions == 0 ? HD_EXIT_USAGE : HD_EXIT_BUDGET;
    }
}

static enum hd_verdict verdict_of(int code)
{
    return code == HD_EXIT_FINDING ? HD_VERDICT_BUG : code == HD_EXIT_CLEAN ? HD_VERDICT_CLEAN
           : code == HD_EXIT_BUDGET ? HD_VERDICT_BUDGET : HD_VERDICT_ERROR;
}

static void print(struct rechecks *a, const char *file, const struct hd_rechecked *c,
                  const struct hd_result_recheck *about, const struct hd_result_finding *f)
{
    if (a->o->quiet && c->end == HD_RECHECK_PASSES)
        return;
    fprintf(a->text.out, "%s: ", file);
    hd_text_ink(&a->text, c->end == HD_RECHECK_PASSES ? HD_INK_GOOD : HD_INK_BAD, words[c->end]);
    fputc('\n', a->text.out);
    fputs("  ", a->text.out);
    hd_text_wrap(&a->text, 2, 4, about->sentence);
    if (f != NULL && f->schedule[0] != '\0') {
        fputs("  heddle replay ", a->text.out);
        hd_shell_word(a->text.out, f->schedule);
        fputc('\n', a->text.out);
    }
    fflush(a->text.out);
}

/* Saves, describes and reports the execution that failed.  Its text goes to the terminal with -v only. */
static void take_failure(struct rechecks *a, struct hd_findings *all, const struct hd_schedule *settings,
                         struct hd_minimized *found)
{
    char *text = NULL;
    size_t size;
    FILE *out = all->s->text.out;

    all->s->text.out = hd_memory_stream(&text, &size);
    hd_findings_add_minimized(all, settings, found);
    fclose(all->s->text.out);
    all->s->text.out = out;
    if (a->o->verbose > 0)
        fputs(text, out);
    free(text);
}

static void conclude(struct rechecks *a, struct hd_findings *all, const struct hd_recorded *r,
                     const struct hd_rechecked *c, const char *id)
{
    struct hd_result result;
    struct hd_result_recheck about = { .schedule = r->file, .outcome = outcomes[c->end],
                                       .switches = c->switches, .followed = c->followed, .held = c->held,
                                       .near = c->near };
    int code = code_of(c);

    say(c, &r->schedule, all->n > 0 ? all->list[0].message : "", about.sentence, sizeof about.sentence);
    hd_findings_result(all, &result);
    result.test = id;
    result.verdict = verdict_of(code);
    result.totals.executions = c->executions;
    result.seconds = c->seconds;
    result.recheck = &about;
    if (result.verdict == HD_VERDICT_ERROR)
        result.error = about.sentence;
    print(a, r->file, c, &about, all->n > 0 ? all->list : NULL);
    hd_findings_deliver(all, &result, code);
    a->count[c->end]++;
    a->code = hd_exit_worse(a->code, code);
}

static void recheck(struct rechecks *a, struct hd_recorded *r, struct hd_session *s, const char *id)
{
    struct hd_findings all = { .s = NULL };
    struct hd_schedule settings;
    struct hd_rechecked c;

    if (r->schedule.test[0] != '\0') {
        s->test = r->schedule.test;
        s->preloads_test = true;
    }
    hd_recheck_settings(s, &r->schedule, &settings);
    hd_session_replays(s, &settings);
    if (hd_findings_open(&all, s, &a->outputs)) {
        hd_recheck(s, &r->schedule, &settings, a->o->executions != 0 ? a->o->executions : NEAR,
                   a->o->budget_ms != 0 ? a->o->budget_ms : BUDGET_MS, &c);
        a->interrupted |= hd_signals_take();
        if (c.found != NULL)
            take_failure(a, &all, &settings, c.found);
        if (!a->interrupted || c.found != NULL)
            conclude(a, &all, r, &c, id);
    }
    hd_findings_close(&all);
    hd_schedule_free(&settings);
}

static void skip(struct rechecks *a, const char *program, const char *file, const char *why)
{
    fprintf(a->text.out, "%s: not run: %s\n", file, why);
    hd_outputs_skip(&a->outputs, &(struct hd_result){ .program = program, .test = file }, why);
    *HD_PUSH(a->skipped, a->nskipped) = file;
}

/* False if the user has named a program and the schedule is of another one: then the schedule is left out. */
static bool is_of_program(const struct rechecks *a, const struct hd_schedule *s)
{
    return a->o->program == NULL || a->o->any_build || strcmp(hd_base_name(s->program), hd_base_name(a->o->program)) == 0;
}

static void run_file(struct rechecks *a, char *file)
{
    char *args[] = { file, NULL };
    char id[HD_STORE_ID];
    struct hd_recorded r;
    struct hd_session s;

    a->with.args = args;
    a->with.nargs = 1;
    if (!hd_recorded_read(&r, &a->with)) {
        a->code = hd_exit_worse(a->code, HD_EXIT_USAGE);
        skip(a, "", file, "it cannot be read, or its program may not be run");
    } else if (!is_of_program(a, &r.schedule)) {
        skip(a, a->o->program, file, "it is of another program");
    } else if (!hd_minimize_allowed(r.schedule.kind)) {
        skip(a, r.program, file, "what does not repeat itself cannot be rechecked");
    } else {
        int code = hd_session_open(&s, &a->with, r.program, r.argv);

        s.text = a->text;
        hd_store_identify(&r.schedule, id);
        if (code == HD_EXIT_CLEAN)
            recheck(a, &r, &s, id);
        else
            skip(a, r.program, file, "its program cannot be run");
        a->code = hd_exit_worse(a->code, code);
        hd_session_close(&s);
    }
    hd_recorded_free(&r);
}

/* ---- all schedules ----------------------------------------------------------------------------- */

static void summarise(const struct rechecks *a)
{
    const char *before = ": ";

    fprintf(a->text.out, "%zu schedule%s", a->n, a->n == 1 ? "" : "s");
    for (unsigned i = 0; i < WORDS; i++)
        if (a->count[i] > 0) {
            fprintf(a->text.out, "%s%u %s", before, a->count[i], words[i]);
            before = ", ";
        }
    if (a->nskipped > 0)
        fprintf(a->text.out, "%s%u not run", before, a->nskipped);
    fputc('\n', a->text.out);
}

static void run_all(struct rechecks *a)
{
    sigset_t before;

    hd_signals_hold(&before);
    for (size_t i = 0; i < a->n && !a->interrupted; i++)
        run_file(a, a->files[i]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (a->interrupted)
        a->code = hd_exit_worse(a->code, HD_EXIT_BUDGET);
}

/* Returns false, after a message, if nothing was run. */
static bool was_something_run(const struct rechecks *a)
{
    if (a->nskipped < a->n || a->interrupted || a->code != HD_EXIT_CLEAN)
        return true;
    fprintf(stderr, "heddle: none of the schedules is of %s; give the directory of its schedules\n", a->o->program);
    return false;
}

static int run_found(struct rechecks *a, const char *where)
{
    struct hd_each_result each = { .framework = "recheck" };

    hd_outputs_open(&a->outputs, a->o);
    run_all(a);
    if (!was_something_run(a))
        a->code = HD_EXIT_USAGE;
    if (!a->o->quiet)
        summarise(a);
    fflush(a->text.out);
    each.exit_code = a->code;
    each.verdict = hd_exit_verdict(a->code);
    each.skipped = a->skipped;
    each.nskipped = a->nskipped;
    if (!hd_outputs_write(&a->outputs, a->o->program != NULL ? a->o->program : where, &each))
        a->code = hd_exit_worse(a->code, HD_EXIT_USAGE);
    hd_outputs_close(&a->outputs);
    return a->code;
}

/* Lists the schedules of a directory, or takes the one that is named.  Returns false, after a message, if there
 * is none. */
static bool find_files(struct rechecks *a, const char *where)
{
    struct stat st;

    if (stat(where, &st) == 0 && !S_ISDIR(st.st_mode))
        *HD_PUSH(a->files, a->n) = hd_copied(where);
    else
        hd_store_list(where, &a->files, &a->n);
    if (a->n == 0)
        fprintf(stderr, "heddle: there is no schedule in %s; 'heddle run PROG' looks for a bug and records one\n",
                where);
    return a->n > 0;
}

int hd_rechecks(const struct hd_options *o)
{
    struct rechecks a = { .o = o, .with = *o, .text = { .out = hd_outputs_take_stdout(o) ? stderr : stdout } };
    const char *where = o->nargs > 0 ? o->args[0] : o->out_dir;
    int code = HD_EXIT_USAGE;

    snprintf(a.failures, sizeof a.failures, "%s/recheck", o->out_dir);
    a.with.out_dir = a.failures;
    a.with.jobs = 1;
    a.with.progress = HD_PROGRESS_NONE;
    memset(a.with.files, 0, sizeof a.with.files); /* this function writes the report files itself, for all schedules */
    a.text.color = hd_terminal_color(o->color, a.text.out);
    a.text.width = hd_terminal_width(a.text.out);
    if (hd_outputs_writable(o) && find_files(&a, where))
        code = run_found(&a, where);
    for (size_t i = 0; i < a.n; i++)
        free(a.files[i]);
    free(a.files);
    free(a.skipped);
    return code;
}
