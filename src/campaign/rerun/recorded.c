/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recorded.c - finds a schedule and its program and prepares both for a run.  The program must be
 * the same build: in another build the schedule would have a different meaning. */
#include "campaign/rerun/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/setup/outputs.h"
#include "conductor/store.h"
#include "program/paths.h"
#include "report/evidence/describe.h"
#include "report/evidence/message.h"
#include "report/print/shell.h"

/* Finds the schedule file: by path, by the id of a finding in the output directory, or the newest
 * one.  Returns false, after a message, if there is none. */
static bool find_file(const struct hd_options *o, char *path, size_t cap)
{
    if (o->nargs == 0 || strcmp(o->args[0], HD_STORE_LATEST) == 0) {
        if (hd_store_latest(o->out_dir, path, cap))
            return true;
        fprintf(stderr, "heddle: no finding is recorded in %s; 'heddle run PROG' looks for one\n",
                o->out_dir);
        return false;
    }
    snprintf(path, cap, "%s", o->args[0]);
    if (access(path, F_OK) != 0 && strchr(o->args[0], '/') == NULL) {
        char in_dir[4096];
        int n = snprintf(in_dir, sizeof in_dir, "%s/%s.heddle", o->out_dir, o->args[0]);

        if ((size_t)n < sizeof in_dir && access(in_dir, F_OK) == 0)
            snprintf(path, cap, "%s", in_dir);
    }
    if (access(path, F_OK) != 0) {
        fprintf(stderr, "heddle: %s: %s; give a schedule, the id of a finding in %s, or nothing for "
                        "the newest\n", path, strerror(errno), o->out_dir);
        return false;
    }
    return true;
}

/* Finds the program.  A relative path that does not exist here is resolved in the directory where
 * the user ran the search. */
static void find_program(const struct hd_schedule *sch, char *path, size_t cap)
{
    snprintf(path, cap, "%s", sch->program);
    if (sch->program[0] == '/' || strchr(sch->program, '/') == NULL || access(path, F_OK) == 0)
        return;
    char there[4096];
    int n = snprintf(there, sizeof there, "%s/%s", sch->directory, sch->program);

    if ((size_t)n < sizeof there && access(there, F_OK) == 0)
        snprintf(path, cap, "%s", there);
}

static bool same_build(const struct hd_session *s, const struct hd_schedule *sch,
                       const char *file)
{
    char id[65];

    hd_describe_build_id(s->elf.build_id, s->elf.build_id_len, id, sizeof id);
    if (strcmp(id, sch->build_id) == 0)
        return true;
    fprintf(stderr,
            "heddle: %s is the schedule of another build of %s\n"
            "heddle: recorded with build id %s, but the program is %s\n"
            "heddle: build the program as it was then, or look for the bug again: heddle run %s\n",
            file, s->program, sch->build_id[0] != '\0' ? sch->build_id : "(none)",
            id[0] != '\0' ? id : "(none)", s->program);
    return false;
}

static bool filter_replay(struct hd_session *s, const struct hd_schedule *sch)
{
    for (uint32_t i = 0; i < sch->nfilters; i++)
        if (!hd_session_filter(s, sch->filters[i].within, sch->filters[i].function))
            return false;
    return true;
}

static char **target_argv(const char *program, const struct hd_schedule *sch)
{
    char **argv = hd_zeroed((size_t)sch->nargs + 2, sizeof *argv);

    argv[0] = (char *)(uintptr_t)program;
    for (uint32_t i = 0; i < sch->nargs; i++)
        argv[i + 1] = (char *)(uintptr_t)sch->args[i];
    return argv;
}

/* A schedule file may come from anyone, and its arguments determine what the program does.  So the
 * user must agree to the program that runs, either by working in its directory or by naming it. */
static bool may_run(const struct hd_recorded *r, const struct hd_options *o)
{
    const char *verb = o->verb_name;

    if (o->program != NULL || o->verb == HD_VERB_DEBUGGEE || hd_path_is_inside(r->program))
        return true;
    fprintf(stderr, "heddle: %s names a program that is not below the current directory:\nheddle:  ", r->file);
    for (char **arg = r->argv; *arg != NULL; arg++) {
        fputc(' ', stderr);
        hd_shell_word(stderr, *arg);
    }
    fprintf(stderr, "\nheddle: it was not started; if that is what you want to run: heddle %s ", verb);
    hd_shell_word(stderr, r->file);
    fputs(" -- ", stderr);
    hd_shell_word(stderr, r->program);
    fputs("\n", stderr);
    return false;
}

/* Returns the program that the user has named; NULL: none.  Under gdb, the first command has already checked this
 * program, and names it here. */
static const char *given_program(const struct hd_options *o)
{
    if (o->verb == HD_VERB_DEBUGGEE && o->nargs > 1)
        return o->args[1];
    return o->program;
}

bool hd_recorded_read(struct hd_recorded *r, const struct hd_options *o)
{
    struct hd_schedule_error err;
    const char *given = given_program(o);

    hd_schedule_init(&r->schedule);
    r->argv = NULL;
    if (!find_file(o, r->file, sizeof r->file))
        return false;
    if (hd_schedule_read(&r->schedule, r->file, &err)) {
        if (given != NULL)
            snprintf(r->program, sizeof r->program, "%s", given);
        else
            find_program(&r->schedule, r->program, sizeof r->program);
        r->argv = target_argv(r->program, &r->schedule);
        return may_run(r, o);
    }
    fprintf(stderr, "heddle: %s\n", err.text);
    return false;
}

int hd_recorded_open(struct hd_recorded *r, struct hd_session *s, const struct hd_options *o)
{
    const struct hd_schedule *sch = &r->schedule;
    int code = hd_session_open(s, o, r->program, r->argv);

    if (code == HD_EXIT_CLEAN && !hd_outputs_spare(o, r->file, "the schedule"))
        code = HD_EXIT_USAGE;
    if (code == HD_EXIT_CLEAN && !(same_build(s, sch, r->file) && filter_replay(s, sch)))
        code = HD_EXIT_USAGE;
    if (code == HD_EXIT_CLEAN) {
        s->recorded = sch;
        s->recorded_file = r->file;
        if (sch->test[0] != '\0') {
            s->test = sch->test;
            s->preloads_test = true;
        }
        s->progress.style = HD_PROGRESS_SILENT; /* one execution has no progress to show */
        hd_session_replays(s, sch);
    }
    return code;
}

static bool is_it(const struct hd_report *r, const struct hd_schedule *sch)
{
    char message[sizeof ((struct hd_result_finding *)NULL)->message]; /* large enough for the saved message */

    hd_report_message(r, message, sizeof message);
    return strcmp(message, sch->message) == 0;
}

const struct hd_finding *hd_recorded_find(struct hd_session *s, const struct hd_schedule *sch)
{
    const struct hd_finding *found = NULL;

    for (const struct hd_finding *f = hd_wire_finding_first(s->wire); f != NULL;
         f = hd_wire_finding_next(s->wire, f)) {
        struct hd_report r;

        if (f->kind != (uint32_t)sch->kind || f->warning != HD_WARN_NONE)
            continue;
        hd_report_open(&r, s->wire, f, hd_session_symbols(s));
        if (is_it(&r, sch))
            return f;
        found = found != NULL ? found : f;
    }
    return found;
}

void hd_recorded_free(struct hd_recorded *r)
{
    hd_schedule_free(&r->schedule);
    free(r->argv);
}
