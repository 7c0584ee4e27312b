/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_run.c - `heddle run` looks for a bug, `heddle verify` explores everything.  They differ only
 * in the default strategy and the default limits: if an exhaustive strategy completes, `run` proves
 * as much as `verify`.  `heddle linearize` is like `verify`, and compares with sequential executions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/version.h"
#include "campaign/search/each.h"
#include "campaign/search/linearize.h"
#include "campaign/search/outcomes.h"
#include "campaign/search/split.h"
#include "campaign/search/search_one.h"
#include "campaign/setup/baselines.h"
#include "campaign/spread/spread.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "conductor/store.h"
#include "program/elf_info.h"
#include "report/names/path.h"
#include "report/names/sources.h"
#include "search/core/strategy.h"

/* Default limits of `run`: long enough to find most bugs that random schedules find, short
 * enough to wait for. */
#define RUN_EXECUTIONS 100000
#define RUN_BUDGET_MS 60000

/* Returns false, after a message, if schedules cannot be saved.  Checks a directory that the user
 * named before the search, which may take hours.  If only the default directory cannot be created,
 * the search still runs. */
static bool can_save(const struct hd_options *o)
{
    if (strcmp(o->out_dir, HD_DEFAULT_OUT_DIR) == 0 || hd_store_writable(o->out_dir))
        return true;
    fprintf(stderr, "heddle: cannot write schedules into %s: %s; give -o a directory that may be "
                    "written to\n", o->out_dir, strerror(errno));
    return false;
}

/* Returns false, after a message, if the search cannot be continued, now or later. */
static bool can_resume(const struct hd_options *o)
{
    const char *why = NULL;

    if (o->resume && o->dry)
        why = "--dry runs the program once; leave one of the two out";
    else if (o->resume && hd_baseline_find(o->strategy) != NULL)
        why = "native runs have no state; leave the option out";
    else if (o->resume && o->checkpoint_ms == 0)
        why = "the state of the search is not saved with --checkpoint off; leave one of the two out";
    if (why != NULL)
        fprintf(stderr, "heddle: --resume: %s\n", why);
    return why == NULL;
}

/* Warns of a program whose reports would mislead.  Whether it can be run at all is checked later. */
static void warn(const struct hd_options *o)
{
    struct hd_elf_info info;
    char source[4096];

    if (o->quiet || !hd_elf_inspect(o->args[0], &info))
        return;
    if (info.instrumented && !info.debug_info)
        fprintf(stderr, "heddle: warning: %s has no debug information: reports cannot name files and lines; "
                        "compile it with -g, and do not strip it\n", o->args[0]);
    if (hd_sources_newer(info.path, source, sizeof source))
        fprintf(stderr, "heddle: warning: %s is newer than %s: build it again, or lines in reports are wrong\n",
                hd_path_shown(source), o->args[0]);
}

/* --store, --campaign and --ship belong together. */
static bool names_campaign(const struct hd_options *o)
{
    const char *wrong = o->store != NULL && o->campaign == NULL ? "--store: name the campaign with --campaign"
                        : o->store == NULL && o->ship           ? "--ship: name the database with --store" : NULL;

    if (wrong != NULL)
        fprintf(stderr, "heddle: %s\n", wrong);
    return wrong == NULL;
}

static void put_hash(FILE *f, const char *what, const char *text)
{
    char hash[65];

    hd_sha256(text, strlen(text), hash);
    fprintf(f, "%s\t%s\n", what, hash);
}

/* Collects the properties on which all workers of a campaign must agree: verb, options, the program's arguments and
 * the file of expected output. */
static void search_campaign(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                            const struct hd_stage *stage, struct hd_one_result *result)
{
    char *spec;
    size_t size;
    FILE *f = hd_memory_stream(&spec, &size);
    char *expected = o->expect_file != NULL ? hd_text_of_file(o->expect_file) : NULL;

    fprintf(f, "heddle\t%s\nverb\t%s\n%s", HD_VERSION_TEXT, o->verb_name, o->search_options);
    for (char *const *a = o->args + 1; *a != NULL; a++)
        fprintf(f, "argument\t%s\n", *a);
    if (expected != NULL) /* if it cannot be read, the search reports that */
        put_hash(f, "hash of the expected output", expected);
    if (o->linear_book != NULL)
        put_hash(f, "hash of the sequential outcomes", o->linear_book);
    fclose(f);
    free(expected);
    if (strcmp(o->store, HD_DEFAULT_STORE) == 0) /* if this fails, opening the store reports why */
        hd_store_make(HD_DEFAULT_OUT_DIR);
    hd_spread_search(o, outputs, one, spec, stage, result);
    free(spec);
}

static int search_with(const struct hd_options *o)
{
    const struct hd_one one = { .argv = o->args };
    struct hd_one_result result;
    struct hd_outputs outputs;

    if (!can_save(o) || !can_resume(o))
        return HD_EXIT_USAGE;
    warn(o);
    if (o->each && o->store == NULL)
        return hd_each(o);
    if (!names_campaign(o))
        return HD_EXIT_USAGE;
    hd_outputs_open(&outputs, o);
    if (o->splits && o->store == NULL)
        hd_split_search(o, &outputs, &one, &result);
    else if (o->linear != HD_LINEAR_OFF && !o->splits)
        hd_linearize_search(o, &outputs, &one, o->store != NULL ? search_campaign : hd_search_stage, &result);
    else if (o->store != NULL)
        search_campaign(o, &outputs, &one, NULL, &result);
    else
        hd_search_one(o, &outputs, &one, &result);
    /* a finding takes precedence over a failure to write a file */
    if (!hd_outputs_write(&outputs, o->args[0], NULL) && result.code != HD_EXIT_FINDING)
        result.code = HD_EXIT_USAGE;
    hd_outputs_close(&outputs);
    return result.code;
}

static int search(const struct hd_options *o)
{
    struct hd_options with = *o;
    char *shared = hd_options_of_search(o, o->verb);

    with.search_options = shared;
    int code = search_with(&with);

    free(shared);
    return code;
}

/* A user who names the strategy, asks for all findings, or runs a study wants one search, not
 * stages. */
static bool is_in_stages(const struct hd_options *o)
{
    return !o->strategy_named && !o->keep_going && !o->study && o->store == NULL;
}

int hd_cmd_run(const struct hd_options *o)
{
    struct hd_options with = *o;

    with.in_stages = is_in_stages(o); /* the stages have limits of their own */
    if (!with.in_stages && o->executions == 0 && o->budget_ms == 0) {
        struct hd_traits traits = hd_strategy_traits(o->strategy);

        with.executions = o->deepens || (o->store != NULL && !hd_traits_samples(&traits)) ? 0 : RUN_EXECUTIONS;
        with.budget_ms = RUN_BUDGET_MS;
    }
    return search(&with);
}

int hd_cmd_verify(const struct hd_options *o)
{
    return search(o);
}

int hd_cmd_linearize(const struct hd_options *o)
{
    struct hd_traits traits = hd_strategy_traits(o->strategy);
    struct hd_options with = *o;

    if (o->judge)
        return hd_outcomes_judge(o);
    with.linear = HD_LINEAR_CONCURRENT;
    if (hd_traits_samples(&traits) && o->executions == 0 && o->budget_ms == 0) {
        with.executions = RUN_EXECUTIONS;
        with.budget_ms = RUN_BUDGET_MS;
    }
    return search(&with);
}
