/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_study.c - `heddle study`: runs many programs with many strategies and many seeds.
 *
 * This file handles the options and the output. src/study runs the cells and makes the
 * tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/registry.h"
#include "report/print/file.h"
#include "report/verdict/result.h"
#include "study/output.h"
#include "study/run.h"

#define DEFAULT_EXECUTIONS 100000 /* as in the published study that this one follows */
#define DEFAULT_BUDGET_MS 60000

static bool complain(const char *what)
{
    fprintf(stderr, "heddle study: %s\n", what);
    return false;
}

/* ---- options ---------------------------------------------------------------------------------- */

/* True if `heddle run` accepts the strategy.  Uses its option parser for all checks. */
static bool strategy_works(const char *name)
{
    char *argv[] = { "--strategy", (char *)name, "--", "program", NULL };
    struct hd_options o;

    if (hd_options_parse(HD_VERB_RUN, 4, argv, &o) == HD_PARSE_OK)
        return true;
    fprintf(stderr, "heddle study: --strategies: '%s' is not one that 'heddle run --strategy' takes\n", name);
    return false;
}

/* Finds the list of programs.  A directory means the programs.tsv in it. */
static bool find_list(const char *given, char *list)
{
    char path[PATH_MAX];
    struct stat st;
    bool directory = stat(given, &st) == 0 && S_ISDIR(st.st_mode);

    snprintf(path, sizeof path, "%s%s", given, directory ? "/programs.tsv" : "");
    if (realpath(path, list) != NULL)
        return true;
    fprintf(stderr, "heddle study: cannot read %s: %s\n", path, strerror(errno));
    return false;
}

static bool can_write(const char *path)
{
    if (path == NULL || hd_file_writable(path))
        return true;
    fprintf(stderr, "heddle study: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

static bool selects_any(const struct hd_study_list *l, const char *patterns)
{
    for (size_t i = 0; i < l->n; i++)
        if (hd_study_selects(patterns, &l->program[i]))
            return true;
    fprintf(stderr, "heddle study: no program of the list fits --programs %s; patterns are compared with the "
                    "name, the suite and the words of the notes\n", patterns);
    return false;
}

static bool take_options(const struct hd_options *o, struct hd_study_plan *plan)
{
    char error[600];

    plan->limit = o->executions != 0 ? o->executions : DEFAULT_EXECUTIONS;
    plan->budget_ms = o->budget_ms != 0 ? o->budget_ms : DEFAULT_BUDGET_MS;
    plan->jobs = hd_study_jobs(o->jobs);
    plan->keep_going = o->keep_going;
    plan->quiet = o->quiet;
    plan->db = o->study_db;
    plan->patterns = o->study_programs;
    if (!hd_study_strategies(o->study_strategies, &plan->strategies, error, sizeof error) ||
        !hd_study_seeds(o->study_seeds, &plan->seeds, error, sizeof error))
        return complain(error);
    for (size_t i = 0; !o->report_only && i < plan->strategies.n; i++)
        if (!strategy_works(plan->strategies.name[i]))
            return false;
    if (!find_list(o->args[0], plan->list_path))
        return false;
    if (!hd_study_list_read(&plan->list, plan->list_path, error, sizeof error))
        return complain(error);
    return selects_any(&plan->list, plan->patterns) && can_write(o->csv_file) &&
           can_write(o->markdown_file) && can_write(o->files[HD_FORMAT_html]);
}

/* ---- output ------------------------------------------------------------------------------------ */

/* Returns the path of the file with this name in the directory of the list, or NULL if there is
 * none. */
static const char *beside(const char *list, const char *name, char *path, size_t cap)
{
    int n = (int)(strrchr(list, '/') - list);

    snprintf(path, cap, "%.*s/%s", n, list, name);
    return access(path, R_OK) == 0 ? path : NULL;
}

struct output {
    const char *file;
    void (*write)(FILE *out, const struct hd_study_report *r);
    const struct hd_study_report *report;
};

static void write_output(FILE *out, const void *what)
{
    const struct output *o = what;

    o->write(out, o->report);
}

static bool write_files(const struct hd_options *o, const struct hd_study_report *r)
{
    const struct output outputs[] = { { o->csv_file, hd_study_csv, r },
                                      { o->markdown_file, hd_study_markdown, r },
                                      { o->files[HD_FORMAT_html], hd_study_html, r } };
    bool good = true;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i].file != NULL && !hd_file_write(outputs[i].file, write_output, &outputs[i])) {
            fprintf(stderr, "heddle study: cannot write %s: %s\n", outputs[i].file, strerror(errno));
            good = false;
        }
    return good;
}

static bool is_stdout(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

static void print_summary(const struct hd_study_report *r)
{
    const struct hd_study *s = r->study;
    struct hd_study_differences d = hd_study_differences(r);
    char needed[32];

    for (size_t t = 0; t < s->strategies.n; t++) {
        const struct hd_strategy_sums *sum = &s->sums[t];

        hd_study_thousands(needed, sizeof needed, sum->needed);
        printf("%-16s finds %u of %u, in %s executions in all; %.1f s", s->strategies.name[t], sum->found,
               sum->programs, needed, sum->seconds);
        if (sum->failed > 0)
            printf("; %u cell%s failed", sum->failed, sum->failed == 1 ? "" : "s");
        putchar('\n');
    }
    if (d.same + d.open + d.differs > 0)
        printf("published numbers: %zu agree, %zu differ, %zu of them unexplained; too early to tell for %zu\n",
               d.same, d.differs, d.unexplained, d.open);
}

/* Reports failed cells to the user.  Returns the exit code. */
static int tell_failures(const struct hd_study *s)
{
    size_t crashed = 0, failed = 0;

    for (size_t i = 0; i < s->cells.n; i++) {
        const struct hd_cell *c = &s->cells.cell[i];

        if (s->group_of[i] < 0 || c->state == HD_CELL_DONE)
            continue;
        failed++;
        crashed += c->state == HD_CELL_CRASHED || c->state == HD_CELL_KILLED;
    }
    if (failed > 0)
        fprintf(stderr, "heddle study: %zu cell%s failed, which says nothing about their programs; the tables "
                        "name them, and the next study tries them again\n", failed, failed == 1 ? "" : "s");
    return crashed > 0 ? HD_EXIT_INTERNAL : failed > 0 ? HD_EXIT_USAGE : HD_EXIT_CLEAN;
}

static int report(const struct hd_options *o, const struct hd_study_plan *plan, struct hd_study_db *db)
{
    char rows[PATH_MAX], reasons[PATH_MAX], error[600];
    struct hd_published published;
    struct hd_study study;
    struct hd_cells cells;
    int code;

    if (!hd_published_read(&published, beside(plan->list_path, "published.tsv", rows, sizeof rows),
                           beside(plan->list_path, "deviations.tsv", reasons, sizeof reasons), error,
                           sizeof error))
        return complain(error), HD_EXIT_USAGE;
    if (!hd_study_db_load(db, &cells, error, sizeof error)) {
        hd_published_free(&published);
        return complain(error), HD_EXIT_USAGE;
    }
    hd_study_build(&study, cells, &plan->list, plan->patterns, &plan->strategies);
    const struct hd_study_report r = { &study, &published, strrchr(plan->list_path, '/') + 1 };

    if (study.nprograms == 0)
        complain("there is no result of these programs yet");
    else if (!o->quiet && !is_stdout(o->csv_file) && !is_stdout(o->markdown_file) && !is_stdout(o->files[HD_FORMAT_html]))
        print_summary(&r);
    if (study.crowded)
        fprintf(stderr, "heddle study: of the strategies in the results only %d are shown; --strategies says which\n",
                HD_STUDY_STRATEGIES);
    code = study.nprograms == 0 ? HD_EXIT_USAGE : tell_failures(&study);
    if (!write_files(o, &r) && code == HD_EXIT_CLEAN)
        code = HD_EXIT_USAGE;
    hd_study_free(&study);
    hd_published_free(&published);
    return code;
}

/* Runs the study and reports it.  If the run was stopped, its exit code takes precedence over that
 * of the report. */
static int study(const struct hd_options *o, struct hd_study_plan *plan)
{
    char error[600];
    struct hd_study_db *db = hd_study_db_open(plan->db, o->report_only, error, sizeof error);

    if (db == NULL)
        return complain(error), HD_EXIT_USAGE;
    int ran = o->report_only ? HD_EXIT_CLEAN : hd_study_run(plan, db);
    int code = ran == HD_EXIT_CLEAN || ran == HD_EXIT_BUDGET ? report(o, plan, db) : ran;

    hd_study_db_close(db);
    return ran != HD_EXIT_CLEAN ? ran : code;
}

int hd_cmd_study(const struct hd_options *o)
{
    struct hd_study_plan plan = { .jobs = 1 };

    unsetenv("HEDDLE_OPTIONS"); /* only the key determines a cell, here and in the processes of the cells */
    int code = take_options(o, &plan) ? study(o, &plan) : HD_EXIT_USAGE;

    hd_study_list_free(&plan.list);
    return code;
}
