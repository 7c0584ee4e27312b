/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.c - one launch of one program: connects options, conductor and reports. */
#include "campaign/session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/session/libraries.h"
#include "campaign/session/library_atomics.h"
#include "campaign/session/point_at.h"
#include "campaign/session/resume.h"
#include "campaign/session/startup_error.h"
#include "campaign/session/unseen_watch.h"
#include "campaign/setup/configure.h"
#include "campaign/setup/jobs.h"
#include "campaign/setup/outputs.h"
#include "conductor/leftovers.h"
#include "model/point_class.h"
#include "report/evidence/describe.h"
#include "report/names/standard.h"
#include "search/core/share.h"

/* ---- opening ----------------------------------------------------------------------------- */

bool hd_session_inspect(const char *program, struct hd_elf_info *elf)
{
    if (hd_elf_inspect(program, elf))
        return true;
    fprintf(stderr, "heddle: %s: %s\n", program, elf->problem);
    if (elf->remedy[0] != '\0')
        fprintf(stderr, "heddle: %s\n", elf->remedy);
    return false;
}

/* Stores the code ranges of a function of the program.  Returns their number. */
static unsigned find_function(const struct hd_session *s, const char *function, uint64_t (*code)[2], unsigned max)
{
    struct hd_module file = { .bias = 0 };
    char path[4096]; /* PATH_MAX, as realpath requires */
    bool usable = realpath(s->elf.path, path) != NULL &&
                  (size_t)snprintf(file.path, sizeof file.path, "%s", path) < sizeof file.path;
    struct hd_symbols *symbols = hd_symbols_open(&file, usable);
    unsigned n = hd_symbols_functions(symbols, function, code, max);

    hd_symbols_close(symbols);
    return n;
}

bool hd_session_has_function(const struct hd_session *s, const char *function)
{
    uint64_t code[1][2];

    return function[0] != '\0' && find_function(s, function, code, 1) > 0;
}

bool hd_session_filter(struct hd_session *s, bool within, const char *function)
{
    struct hd_filters *f = &s->wire->config.filters;
    uint64_t code[HD_MAX_FILTER_RANGES][2];
    unsigned n = find_function(s, function, code, HD_MAX_FILTER_RANGES - f->nranges);

    if (n == 0) {
        fprintf(stderr, "heddle: %s: there is no function '%s'; a function that the compiler has inlined "
                        "everywhere, or that belongs to a library, cannot be named\n", s->program, function);
        return false;
    }
    for (unsigned i = 0; i < n; i++)
        f->ranges[f->nranges++] = (struct hd_filter_range){ code[i][0], code[i][1], f->n };
    f->within[f->n++] = within;
    return true;
}

/* Sets the output that is expected; size is at most HD_EXPECTED_BYTES. */
static void expect(struct hd_common *c, const char *text, size_t size)
{
    memcpy(c->expected.text, text, size);
    c->expected.size = (uint32_t)size;
    c->expected.state = HD_EXPECTED_KNOWN;
}

/* Reads the file of --expect.  Returns false after a message. */
static bool read_expected(struct hd_session *s)
{
    const char *path = s->o->expect_file, *wrong = NULL;
    char *text = hd_zeroed(HD_EXPECTED_BYTES + 1, 1);
    FILE *f = fopen(path, "re");
    size_t n = f != NULL ? fread(text, 1, HD_EXPECTED_BYTES + 1, f) : 0;

    if (f == NULL || ferror(f))
        wrong = strerror(errno);
    else if (n > HD_EXPECTED_BYTES)
        wrong = "it is larger than 1 MiB; let the test print less";
    else if (memchr(text, '\0', n) != NULL)
        wrong = "it has zero bytes, and only text can be compared";
    if (wrong != NULL)
        fprintf(stderr, "heddle: --expect %s: %s\n", path, wrong);
    else
        expect(s->wires.common, text, n);
    if (f != NULL)
        fclose(f);
    free(text);
    return wrong == NULL;
}

/* Makes these places known to the search before its first execution. */
static void start_with(struct hd_session *s, const struct hd_options *o)
{
    struct hd_common *c = s->wires.common;
    uint32_t n = o->nplaces < HD_MAX_SITES ? o->nplaces : HD_MAX_SITES;

    for (uint32_t i = 0; i < n; i++)
        c->sites[i] = (struct hd_site){ .name = o->places[i], .from = 1 };
    c->nchosen = o->nchosen < n ? o->nchosen : n;
    for (uint32_t i = 0; i < s->wires.n; i++)
        s->wires.wire[i]->campaign.totals[0].sites = n;
}

void hd_session_replays(struct hd_session *s, const struct hd_schedule *sch)
{
    struct hd_wire *w = s->wire;
    struct hd_config *c = &w->config;

    hd_configure_strategy(c, "replay", "");
    c->bound = -1;
    c->seed = sch->seed;
    c->max_executions = 1;
    c->settings = sch->settings;
    for (uint32_t i = 0; i < sch->nsites && i < HD_MAX_SITES; i++)
        w->common->sites[i].name = sch->sites[i];
    for (uint32_t i = 0; i < sch->nwaits && i < HD_MAX_WAITS; i++)
        w->common->waits[i] = (struct hd_wait_place){ .name = sch->waits[i], .from = 1 };
    w->campaign.totals[0].sites = sch->nsites < HD_MAX_SITES ? sch->nsites : HD_MAX_SITES;
    w->common->nchosen = (uint32_t)w->campaign.totals[0].sites;
    if (sch->faults == 0) /* the file does not contain the setting */
        c->fault_past_bound = hd_configure_offers_all(sch->strategy);
    c->races = HD_RACES_ON;
    c->leak_site = sch->leak_site;
    c->leak_expected = sch->leak_expected;
    if (hd_schedule_expects(sch))
        expect(w->common, sch->expected, strlen(sch->expected));
    c->replay = 1;
    c->many = hd_ending_is_loss(sch); /* the recorded finding is the loss of the worker, so a zygote must exist to
                                       * report it */
    for (uint32_t i = 0; i < sch->nsteps; i++)
        w->recorded[i] = sch->steps[i].decision;
    w->nrecorded = sch->nsteps;
    for (uint32_t i = 1; i < sch->nslots; i++)
        hd_common_set_slot(w->common, i, sch->slots[i].parent, sch->slots[i].nth);
}

enum hd_progress_style hd_session_progress_style(const struct hd_options *o)
{
    if (o->quiet || o->progress == HD_PROGRESS_NONE)
        return HD_PROGRESS_SILENT;
    return o->progress == HD_PROGRESS_AUTO && isatty(STDERR_FILENO) && hd_screen_knows_escapes()
               ? HD_PROGRESS_LIVE : HD_PROGRESS_LINES;
}

int hd_session_open(struct hd_session *s, const struct hd_options *o, const char *program,
                    char *const *argv)
{
    memset(s, 0, sizeof *s);
    s->o = o;
    s->program = program;
    s->argv = argv;
    s->progress.style = hd_session_progress_style(o);
    s->text.out = hd_outputs_take_stdout(o) ? stderr : stdout;
    s->text.color = hd_terminal_color(o->color, s->text.out);
    s->text.width = hd_terminal_width(s->text.out);
    s->text.all = o->verbose > 0;
    if (!hd_session_inspect(program, &s->elf) || !hd_outputs_writable(o) ||
        !hd_outputs_spare(o, s->elf.path, "the program"))
        return HD_EXIT_USAGE;
    if (!hd_wires_create(&s->wires, hd_can_fix_addresses() ? hd_jobs(o) : 1)) {
        fprintf(stderr, "heddle: cannot make the shared memory: %s\n", strerror(errno));
        if (errno == ENOMEM || errno == EFBIG)
            fputs("heddle: raise the limits of address space and file size (ulimit -v, ulimit -f)\n",
                  stderr);
        return HD_EXIT_USAGE;
    }
    s->wire = s->wires.wire[0];
    s->merge.wires = &s->wires;
    s->targets = hd_zeroed(s->wires.n, sizeof *s->targets);
    for (uint32_t i = 0; i < s->wires.n; i++) {
        s->targets[i].output = s->targets[i].pidfd = -1; /* not started yet */
        hd_configure(&s->wires.wire[i]->config, o);
    }
    start_with(s, o);
    if (!hd_point_at(s, o))
        return HD_EXIT_USAGE;
    if (o->expect_file != NULL && !read_expected(s))
        return HD_EXIT_USAGE;
    if (o->linear_book != NULL)
        expect(s->wires.common, o->linear_book, strlen(o->linear_book));
    s->wires.common->linear.kept.wanted = o->outcomes_file != NULL;
    s->wires.common->linear.repeats = o->linear_repeats;
    s->wire->config.release_rule = s->elf.instrumented ? hd_standard_of_file(s->elf.path) : HD_RELEASE_OPEN;
    for (uint32_t i = 0; i < o->nfilters; i++)
        if (!hd_session_filter(s, o->filters[i].within, o->filters[i].function))
            return HD_EXIT_USAGE;
    for (uint32_t i = 1; i < s->wires.n; i++) {
        s->wires.wire[i]->config.filters = s->wire->config.filters;
        s->wires.wire[i]->config.release_rule = s->wire->config.release_rule;
    }
    return HD_EXIT_CLEAN;
}

void hd_session_close(struct hd_session *s)
{
    for (uint32_t i = 0; s->targets != NULL && i < s->wires.n; i++)
        hd_target_kill(&s->targets[i]);
    free(s->targets);
    hd_symbols_close(s->symbols);
    hd_merge_free(&s->merge);
    if (s->wire != NULL)
        hd_wires_destroy(&s->wires);
    hd_unseen_end(s);
    hd_resume_close(s);
}

/* All targets have the same modules, but some may not have registered theirs yet. */
struct hd_symbols *hd_session_symbols_from(struct hd_session *s, const struct hd_wire *w)
{
    uint32_t n = w->nmodules;

    if (s->symbols == NULL)
        s->symbols = hd_symbols_open(w->modules, n < HD_MAX_MODULES ? n : HD_MAX_MODULES);
    hd_symbols_add(s->symbols, n < HD_MAX_MODULES ? n : HD_MAX_MODULES);
    return s->symbols;
}

struct hd_symbols *hd_session_symbols(struct hd_session *s)
{
    return hd_session_symbols_from(s, s->wire);
}

/* ---- ledger, schedule and findings --------------------------------------------------- */

/* If Heddle cannot fix addresses, they are random, but the same in the whole campaign, because all its processes
 * are forked from one.  Only a replay may see other addresses. */
void hd_session_gather_ledger(struct hd_session *s)
{
    if (!s->elf.instrumented)
        hd_ledger_add(&s->ledger, HD_DENIES, "plain binary: races, plain memory, and loads and stores "
                                             "that are atomic are not visible; build C and C++ with 'heddle cc'");
    if (s->targets[0].randomised)
        hd_ledger_add(&s->ledger, HD_MENTIONS, "address randomisation could not be switched off here");
    for (uint32_t k = 0; k < s->wires.n; k++)
        hd_ledger_merge(&s->ledger, &s->wires.wire[k]->ledger);
    hd_unseen_gather(s);
}

static int by_name(const void *a, const void *b)
{
    const hd_cname *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Adds the racing places, sorted, so that the order does not depend on which worker found them
 * first. */
static void add_sites(const struct hd_session *s, uint64_t n, struct hd_schedule *out)
{
    if (s->wire->config.no_points & HD_POINT_ACCESS && n > s->wires.common->nchosen)
        n = s->wires.common->nchosen; /* later places were not scheduling points */
    for (uint64_t i = 0; i < n && i < HD_MAX_SITES; i++)
        hd_schedule_add_site(out, s->wires.common->sites[i].name);
    if (out->nsites > 1)
        qsort(out->sites, out->nsites, sizeof *out->sites, by_name);
}

/* Adds the places of waiting loops that applied, also sorted. */
static void add_waits(const struct hd_session *s, uint64_t set, struct hd_schedule *out)
{
    for (unsigned i = 0; i < HD_MAX_WAITS; i++)
        if (set >> i & 1)
            hd_schedule_add_wait(out, s->wires.common->waits[i].name);
    qsort(out->waits, out->nwaits, sizeof *out->waits, by_name);
}

void hd_session_schedule(struct hd_session *s, const struct hd_report *r, struct hd_schedule *out)
{
    const struct hd_config *c = &s->wire->config;
    char build_id[65], here[4096];

    hd_schedule_init(out);
    hd_describe_build_id(s->elf.build_id, s->elf.build_id_len, build_id, sizeof build_id);
    out->program = hd_schedule_string(out, s->program);
    out->directory = getcwd(here, sizeof here) != NULL ? hd_schedule_string(out, here) : "";
    out->build_id = hd_schedule_string(out, build_id);
    for (char *const *a = s->argv + 1; *a != NULL; a++)
        hd_schedule_add_arg(out, *a);
    if (s->preloads_test)
        out->test = hd_schedule_string(out, s->test);
    out->settings = c->settings;
    add_sites(s, r->finding->sites, out);
    add_waits(s, r->finding->waits, out);
    for (uint32_t i = 0; i < s->o->nfilters; i++)
        hd_schedule_add_filter(out, s->o->filters[i].within, s->o->filters[i].function);
    out->strategy = hd_schedule_string(out, c->strategy);
    out->seed = c->seed;
    hd_report_schedule(r, out);
}

static void take(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    struct hd_session *s = ctx;

    s->nfound += f->warning == HD_WARN_NONE;
    if (s->on.finding != NULL)
        s->on.finding(s->on.ctx, wire, f);
}

void hd_session_look(struct hd_session *s, const struct hd_totals *t, double seconds)
{
    if (s->on.look != NULL)
        s->on.look(s->on.look_ctx, t, seconds);
    else
        hd_progress_show(&s->progress, t, s->nfound, seconds);
}

static void on_look(void *ctx, bool at_end, double seconds)
{
    struct hd_session *s = ctx;
    struct hd_totals t;

    if (s->asked_from_outside)
        return;
    hd_merge_findings(&s->merge, at_end, take, s);
    hd_merge_totals(&s->merge, &t);
    hd_resume_started(s);
    if (!at_end)
        hd_session_look(s, &t, s->seconds_before + seconds);
}

/* ---- running ----------------------------------------------------------------------------- */

static bool launch_all(struct hd_session *s, struct hd_launch *l)
{
    const char *what;

    fflush(NULL);
    for (l->worker = 0; l->worker < s->wires.n; l->worker++) {
        char undo[sizeof s->wires.wire[0]->undo];

        hd_leftovers_name(undo, sizeof undo);
        memcpy(s->wires.wire[l->worker]->undo, undo, sizeof undo);
        l->undo = undo;
        if (!hd_launch(l, &s->targets[l->worker], &what)) {
            fprintf(stderr, "heddle: %s: %s: %s\n", s->program, what, strerror(errno));
            return false; /* hd_session_close ends the targets that were started */
        }
    }
    l->undo = NULL;
    return true;
}

/* Prepares the next turn.  The targets of the last turn have ended normally, and new ones can
 * continue the search. */
static void begin_turn(struct hd_session *s)
{
    s->seconds_before += s->watched.seconds;
    s->searching_before += s->watched.searching;
    hd_wires_renew(&s->wires);
}

/* Collects the facts on which the verdict depends.  They are complete only after the last turn. */
void hd_session_over(struct hd_session *s)
{
    hd_unseen_again(s);
    hd_session_gather_ledger(s);
}

int hd_session_run(struct hd_session *s, uint64_t budget_ms)
{
    struct hd_libraries lib;
    struct hd_launch l = { .path = s->elf.path, .argv = s->argv, .environment = hd_resume_environment(s),
                           .wire_fd = s->wires.fd };
    struct hd_watch w = { .wires = &s->wires, .targets = s->targets, .launch = &l,
                          .budget_ms = budget_ms, .watchdog_ms = HD_WATCHDOG_MS,
                          .leaves_signals = s->leaves_signals, .own_time = s->own_time, .from_main = s->in_turns,
                          .on_look = on_look, .ctx = s, .rest = hd_resume_rest(s) };

    if (s->targets[0].started != 0)
        begin_turn(s);
    else
        hd_locked_tell(&s->elf, s->wires.common->locked, &s->ledger);
    if (!hd_libraries_set(&lib, &s->elf, s->preloads_test ? s->test : NULL, &l) || !launch_all(s, &l))
        return HD_EXIT_USAGE;
    s->watched = hd_watch_targets(&w);
    hd_resume_ended(s);
    hd_progress_clear(&s->progress);
    if (!s->in_turns || !s->watched.out_of_time)
        hd_session_over(s);
    if (s->on.over != NULL)
        s->on.over(s->on.ctx);
    return hd_startup_error(s);
}

/* ---- the result -------------------------------------------------------------------------- */

/* Returns the wire of a worker that had to run every execution in its own process, or NULL if there
 * is none. */
static const struct hd_wire *a_forked_wire(const struct hd_session *s)
{
    for (uint32_t i = 0; i < s->wires.n; i++)
        if (s->wires.wire[i]->forked)
            return s->wires.wire[i];
    return NULL;
}

/* Adds what each worker counts for itself. */
static void add_workers(const struct hd_session *s, struct hd_result *r)
{
    for (uint32_t i = 0; i < s->wires.n; i++) {
        const struct hd_wire *w = s->wires.wire[i];

        r->workers_lost += w->workers_lost;
        r->untried |= w->untried;
        r->discarded += w->discarded;
        r->for_waits += w->for_waits;
    }
}

void hd_session_explored(const struct hd_session *s, struct hd_totals *t)
{
    const struct hd_config *c = &s->wire->config;

    if (s->wires.n > 1 && !c->by_index && !t->exhausted && c->leased != HD_LEASED_TASKS)
        t->explored = hd_share_explored(&s->wires.common->arena);
}

/* Workers that share a space finish together, when no part of it remains. */
void hd_session_totals(const struct hd_session *s, struct hd_totals *t)
{
    hd_merge_totals(&s->merge, t);
    if ((s->wires.n == 1 && s->wire->config.leased != HD_LEASED_TASKS) || s->wire->config.by_index)
        return;
    t->exhausted = hd_share_over(&s->wires.common->arena);
    t->complete = hd_share_complete(&s->wires.common->arena);
    hd_session_explored(s, t);
}

void hd_session_result(struct hd_session *s, struct hd_result *r)
{
    const struct hd_wire *forked = a_forked_wire(s);
    const struct hd_places *p = &s->places;

    hd_places_gather(s);
    *r = (struct hd_result){
        .program = s->program, .test = s->test, .suite = s->suite, .name = s->o->test_name, .config = &s->wire->config,
        .error = s->error[0] != '\0' ? s->error : NULL, .plain = !s->elf.instrumented,
        .interrupted = s->watched.interrupted, .hangs = s->watched.hangs,
        .forked = forked != NULL, .fork_reason = forked != NULL ? forked->fork_reason : "",
        .seconds = s->seconds_before + s->watched.seconds,
        .searching = s->searching_before + s->watched.searching,
        .resumed = s->continued.times, .ledger = &s->ledger,
        .weak = p->weak, .nweak = p->nweak, .unsatisfied = p->unsatisfied, .nunsatisfied = p->nunsatisfied,
        .never_aborted = p->never_aborted, .nnever_aborted = p->nnever_aborted,
        .loops = p->loops, .loop_rounds = p->loop_rounds, .nloops = p->nloops,
        .longest = p->longest,
    };
    if (s->wire->config.count != 0)
        r->reached = s->wires.common->reached;
    add_workers(s, r);
    hd_unseen_result(s, r);
    hd_session_totals(s, &r->totals);
}
