/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_kernel.c - `heddle kernel run` and `heddle kernel replay`. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/memory.h"
#include "cli/kernel_campaign.h"
#include "cli/registry.h"
#include "kernel/drive/linux.h"
#include "kernel/drive/pintos.h"
#include "kernel/drive/session.h"
#include "program/paths.h"
#include "search/core/strategy.h"

#define DEFAULT_BUDGET_MS 60000
/* Mistakes of kernels often need two or three interrupts, and an interrupt that lets the wrong thread run uses up
 * one of pct's changes.  Measured on tests/kernel/teach (docs/kernel.md). */
#define DEFAULT_PCT "d=5"
#define PINTOS_INSTRUCTIONS 5000000 /* its tests print every line character by character */

/* True for strategies that only sample, and for exhaustive ones without a reduction.  A reduction would have to know
 * everything that a step accesses. */
static bool suits(const struct hd_traits *t)
{
    return hd_traits_samples(t) ? t->draws != HD_DRAWS_DIRECTED && !t->native : t->coverage == HD_COVERS_SCHEDULES;
}

static bool choose_strategy(const struct hd_options *o, struct hd_kernel_request *r, char *buf, size_t cap)
{
    const char *name = o->strategy;
    struct hd_traits traits = hd_strategy_traits(name);

    if (!suits(&traits) || hd_strategy_reducer(name) != HD_REDUCE_NONE) {
        fprintf(stderr, "heddle: the strategy '%s' cannot be used for kernels; use random, pct, pos or surw, or, to be "
                        "exhaustive, ipb, idb or dfs\n", name);
        return false;
    }
    if (hd_traits_samples(&traits) && r->executions == 0 && r->budget_ms == 0)
        r->budget_ms = DEFAULT_BUDGET_MS;
    if (o->bound >= 0 && traits.bound == HD_BOUND_NONE) {
        fprintf(stderr, "heddle: the strategy '%s' has no bound; use ipb or idb\n", name);
        return false;
    }
    const char *params = o->params[0] == '\0' && strcmp(name, "pct") == 0 ? DEFAULT_PCT : o->params;

    snprintf(buf, cap, "%s%s%s", name, params[0] != '\0' ? ":" : "", params);
    r->strategy = buf;
    return true;
}

static char *joined(char *const *words, int n)
{
    size_t room = 1;

    for (int i = 0; i < n; i++)
        room += strlen(words[i]) + 1;
    char *text = hd_zeroed(room, 1);

    for (int i = 0; i < n; i++)
        sprintf(text + strlen(text), "%s%s", i == 0 ? "" : " ", words[i]);
    return text;
}

/* Returns the schedule of a kernel with this id in the directory, or the newest one. */
static char *find_schedule(const char *dir, const char *wanted)
{
    char path[1024], best[1024] = "";
    struct timespec when = { 0 };
    struct stat st;
    DIR *d;

    if (wanted != NULL && stat(wanted, &st) == 0)
        return hd_copied(wanted);
    d = opendir(dir);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        size_t n = strlen(e->d_name);

        if (n < 8 || strcmp(e->d_name + n - 7, ".kernel") != 0 ||
            (wanted != NULL && strncmp(e->d_name, wanted, strlen(wanted)) != 0))
            continue;
        snprintf(path, sizeof path, "%.700s/%.255s", dir, e->d_name);
        if (stat(path, &st) == 0 &&
            (best[0] == '\0' || st.st_mtim.tv_sec > when.tv_sec ||
             (st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec >= when.tv_nsec))) {
            when = st.st_mtim;
            memcpy(best, path, sizeof best);
        }
    }
    if (d != NULL)
        closedir(d);
    return best[0] == '\0' ? NULL : hd_copied(best);
}

static int replay(const struct hd_options *o, const struct hd_kernel_request *r)
{
    char *file = find_schedule(o->out_dir, o->nargs > 1 ? o->args[1] : NULL);

    if (file == NULL) {
        fprintf(stderr, "heddle: there is no schedule of a kernel %s%s in %s\n", o->nargs > 1 ? "named " : "",
                o->nargs > 1 ? o->args[1] : "", o->out_dir);
        return HD_EXIT_USAGE;
    }
    int code = hd_kernel_replay(r, file);

    free(file);
    return code;
}

/* The words after "run" are the tests of Linux, or the command line of another kernel. */
static bool choose_tests(const struct hd_options *o, struct hd_kernel_request *r)
{
    if (o->kernel_image == NULL)
        return true;
    if (o->nargs < 2 || o->nargs - 1 > HD_K_TESTS) {
        fprintf(stderr, "heddle: which test? name its C files (at most %d) after the options\n", HD_K_TESTS);
        return false;
    }
    for (int i = 1; i < o->nargs; i++)
        r->test[r->ntests++] = o->args[i];
    r->kernel = o->kernel_image;
    r->modules = o->kernel_modules;
    r->words = HD_LINUX_WORDS;
    return true;
}

static void choose_limits(struct hd_kernel_request *r)
{
    if (r->megabytes == 0)
        r->megabytes = r->ntests > 0 ? HD_LINUX_MEGABYTES : 16;
    if (r->max_instructions == 0)
        r->max_instructions = r->ntests > 0 ? HD_LINUX_INSTRUCTIONS : 2000000;
}

static int run(const struct hd_options *o, struct hd_kernel_request *r)
{
    char strategy[256];
    char *words = joined(o->args + 1, o->nargs - 1);
    int code = HD_EXIT_USAGE;

    r->words = words;
    if ((o->multiboot == NULL) == (o->kernel_image == NULL))
        fputs("heddle: which kernel? name it with --multiboot FILE, or Linux with --kernel FILE\n", stderr);
    else if (!choose_tests(o, r))
        code = HD_EXIT_USAGE;
    else if (strlen(words) >= 1000)
        fputs("heddle: the command line of the kernel is too long\n", stderr);
    else if (choose_strategy(o, r, strategy, sizeof strategy)) {
        choose_limits(r);
        code = o->store != NULL ? hd_kernel_campaign(o, r) : hd_kernel_run(r);
    }
    free(words);
    return code;
}

/* heddle kernel pintos DIR [TEST...] */
static int pintos(const struct hd_options *o, struct hd_kernel_request *r)
{
    struct hd_pintos p = { .tests = NULL };
    char strategy[256], words[160];
    int worst = HD_EXIT_CLEAN;

    if (o->nargs < 2) {
        fputs("heddle: which tree? name the directory of Pintos\n", stderr);
        return HD_EXIT_USAGE;
    }
    if ((r->json != NULL || r->html != NULL) && o->nargs != 3) {
        fputs("heddle: --json and --html describe one test: name it after the directory\n", stderr);
        return HD_EXIT_USAGE;
    }
    bool good = choose_strategy(o, r, strategy, sizeof strategy) && hd_pintos_build(&p, o->args[1], o->out_dir);

    for (int i = 2; good && i < o->nargs; i++)
        good = hd_pintos_has_test(&p, o->args[i]);
    for (unsigned n = 0; good; n++) {
        const char *test = o->nargs == 2 ? hd_pintos_test(&p, n) : 2 + (int)n < o->nargs ? o->args[2 + n] : NULL;

        if (test == NULL)
            break;
        snprintf(words, sizeof words, "-q run %.120s", test);
        r->kernel = p.kernel;
        r->words = words;
        choose_limits(r);
        r->max_instructions = o->kernel_instructions == 0 ? PINTOS_INSTRUCTIONS : o->kernel_instructions;
        if (!o->quiet)
            printf("%s:\n", test);
        fflush(stdout);
        int code = hd_kernel_run(r);

        worst = worst == HD_EXIT_FINDING || code == HD_EXIT_CLEAN ? worst : code;
        good = code == HD_EXIT_CLEAN || code == HD_EXIT_BUDGET || code == HD_EXIT_FINDING;
    }
    hd_pintos_free(&p);
    return good || worst != HD_EXIT_CLEAN ? worst : HD_EXIT_USAGE;
}

int hd_cmd_kernel(const struct hd_options *o)
{
    char plugin[4096], include[4096], guest[4096];
    struct hd_kernel_request r = {
        .kernel = o->kernel_image != NULL ? o->kernel_image : o->multiboot, .plugin = plugin, .include = include,
        .guest = guest, .describe = o->describe, .strategy = o->strategy,
        .bound = o->bound, .seed = o->seed, .executions = o->executions, .budget_ms = o->budget_ms,
        .megabytes = o->kernel_memory, .max_instructions = o->kernel_instructions, .max_points = o->kernel_points,
        .out_dir = o->out_dir, .json = o->files[HD_FORMAT_json], .html = o->files[HD_FORMAT_html], .keep_going = o->keep_going, .quiet = o->quiet,
        .minimize = o->minimize, .races = o->races != HD_RACES_OFF, .verbose = o->verbose, .repeats = o->kernel_repeats,
    };

    if (!hd_path_of(HD_LIB_KERNEL, plugin, sizeof plugin) || !hd_path_of(HD_LIB_GUEST, guest, sizeof guest) ||
        !hd_path_of(HD_INCLUDE_DIR, include, sizeof include)) {
        fputs("heddle: the directory of Heddle's parts cannot be found\n", stderr);
        return HD_EXIT_USAGE;
    }
    for (uint32_t i = 0; i < o->nfilters && i < HD_K_FILTERS; i++) {
        r.filter[i].within = o->filters[i].within;
        r.filter[i].function = o->filters[i].function;
        r.nfilters = i + 1;
    }
    if (strcmp(o->args[0], "run") == 0)
        return run(o, &r);
    if (strcmp(o->args[0], "replay") == 0 && o->nargs <= 2)
        return replay(o, &r);
    if (strcmp(o->args[0], "pintos") == 0)
        return pintos(o, &r);
    fprintf(stderr, "heddle: 'heddle kernel' needs 'run', 'pintos', or 'replay' and at most one file, not '%s'\n", o->args[0]);
    return HD_EXIT_USAGE;
}
