/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_run.c - `heddle run` looks for a bug, `heddle verify` explores everything.
 * They differ in the default strategy, in the default limits and in nothing
 * else: an exhaustive strategy that gets to its end proves as much under run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "cli/registry.h"
#include "cli/session.h"
#include "conductor/store.h"
#include "search/strategy.h"

/* Limits of `run` when the user names none: long enough to find most of what
 * random schedules find, short enough to wait for. */
#define RUN_EXECUTIONS 100000
#define RUN_BUDGET_MS 60000

static int conclude(struct hd_session *s)
{
    struct hd_result r;

    hd_session_result(s, &r);
    if (!s->o->quiet)
        hd_result_summary(&s->text, &r);
    fflush(s->text.out);
    /* a finding is worth more than the news that a file could not be written */
    if (!hd_session_write(s, &r) && r.verdict != HD_VERDICT_BUG)
        return HD_EXIT_USAGE;
    return hd_verdict_exit_code(r.verdict);
}

/* Scripts that asked for JSON get an object even when nothing could run. */
static int refuse(struct hd_session *s, int code)
{
    struct hd_result r;

    if (s->wire != NULL && s->error[0] != '\0') {
        hd_session_result(s, &r);
        hd_session_write(s, &r);
    }
    return code;
}

/* A directory that somebody has named is checked before hours are spent.  Where the usual
 * one cannot be made, the search is worth having all the same. */
static bool can_save(const struct hd_options *o)
{
    if (strcmp(o->out_dir, HD_DEFAULT_OUT_DIR) == 0 || hd_store_writable(o->out_dir))
        return true;
    fprintf(stderr, "heddle: cannot write schedules into %s: %s; give -o a directory that may be "
                    "written to\n", o->out_dir, strerror(errno));
    return false;
}

static int search(const struct hd_options *o)
{
    struct hd_session s;

    if (!can_save(o))
        return HD_EXIT_USAGE;
    int code = hd_session_open(&s, o, o->args[0], o->args);

    if (code == HD_EXIT_CLEAN)
        code = hd_session_run(&s, o->budget_ms);
    code = code == HD_EXIT_CLEAN ? conclude(&s) : refuse(&s, code);
    hd_session_close(&s);
    return code;
}

int hd_cmd_run(const struct hd_options *o)
{
    struct hd_options with_limits = *o;

    if (o->executions == 0 && o->budget_ms == 0) {
        with_limits.executions = RUN_EXECUTIONS;
        with_limits.budget_ms = RUN_BUDGET_MS;
    }
    return search(&with_limits);
}

int hd_cmd_verify(const struct hd_options *o)
{
    return search(o);
}
