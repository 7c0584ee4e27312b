/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_estimate.c - `heddle estimate`: estimates the size of the space and the time to explore it.
 *
 * It runs two campaigns of the same program.  Random descents measure the tree of all interleavings
 * (search/sample/probe.c).  A reduced search runs for a while and estimates from its path how far it has come
 * (search/core/estimate.h); if it ends, its size is exact. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/json.h"
#include "campaign/session/session.h"
#include "cli/registry.h"
#include "report/print/file.h"
#include "search/sample/probe.h"
#include "status/approximate.h"

#define DEFAULT_PROBES 10000
#define DEFAULT_BUDGET_MS 5000

/* If the standard error exceeds this part of the mean, the result of the descents means little: the
 * tree is uneven. */
#define UNCERTAIN 0.25L

/* The result of one campaign. */
struct campaign {
    struct hd_totals totals;
    double seconds;
    double rate;     /* executions per second, redundant ones included */
    size_t findings;
    struct hd_probe_sums sums; /* sums over the probes of all workers */
    uint32_t jobs;
    char strategy[64];
};

struct estimate {
    const char *program;
    uint64_t seed;
    struct campaign probes;
    long double mean, error;       /* mean and standard error of the number of interleavings */
    struct campaign reduced;
    long double size, recursive;   /* estimated size of the reduced search, in counted executions */
};

/* ---- measuring ----------------------------------------------------------------------------- */

static void add_probes(const struct hd_session *s, struct hd_probe_sums *out)
{
    *out = (struct hd_probe_sums){ 0 };
    for (uint32_t i = 0; i < s->wires.n; i++) {
        struct hd_probe_sums one = hd_probe_sums(&hd_campaign_totals(&s->wires.wire[i]->campaign)->cursor);

        hd_probe_add(out, &one);
    }
}

static int measure(const struct hd_options *o, struct campaign *out)
{
    struct hd_session s;
    struct hd_result r;
    int code = hd_session_open(&s, o, o->args[0], o->args);

    if (code == HD_EXIT_CLEAN)
        code = hd_session_run(&s, o->budget_ms);
    if (code == HD_EXIT_CLEAN) {
        hd_session_result(&s, &r);
        out->totals = r.totals;
        out->seconds = r.searching > 0 ? r.searching : r.seconds;
        out->rate = out->seconds > 0 ? (double)r.totals.begun / out->seconds : 0;
        out->findings = s.nfound;
        out->jobs = s.wires.n;
        add_probes(&s, &out->sums);
        snprintf(out->strategy, sizeof out->strategy, "%s", o->strategy);
        if (r.interrupted) {
            code = HD_EXIT_BUDGET;
        } else if (r.totals.begun == 0) {
            fprintf(stderr, "heddle: %s: no execution came to an end\n", o->args[0]);
            code = HD_EXIT_USAGE;
        }
    }
    hd_session_close(&s);
    return code;
}

static int measure_probes(const struct hd_options *o, struct estimate *e)
{
    struct hd_options with = *o;

    snprintf(with.strategy, sizeof with.strategy, "probe");
    with.params[0] = '\0';
    with.executions = o->executions > 0 ? o->executions : DEFAULT_PROBES;
    with.keep_going = true;
    int code = measure(&with, &e->probes);

    if (code != HD_EXIT_CLEAN)
        return code;
    struct hd_probe_sums s = e->probes.sums;
    long double n = (long double)s.n, mean = s.sum / n;
    long double variance = n > 1 ? (s.squares - n * mean * mean) / (n - 1) : 0;
    int exponent = s.exponent < 15000 ? (int)s.exponent : 15000; /* 1e4500 is large enough */

    e->mean = ldexpl(mean, exponent);
    e->error = variance > 0 ? ldexpl(sqrtl(variance / n), exponent) : 0;
    return code;
}

static int measure_reduced(const struct hd_options *o, struct estimate *e)
{
    struct hd_options with = *o;

    with.executions = 0;
    with.keep_going = true;
    int code = measure(&with, &e->reduced);
    const struct hd_totals *t = &e->reduced.totals;

    if (code != HD_EXIT_CLEAN)
        return code;
    if (t->bound >= 0 && !t->exhausted) { /* the number of bounds is not known */
        e->size = e->recursive = HUGE_VALL;
        return code;
    }
    /* assumes that the share of executions that count stays what it is so far: executions / begun */
    long double counted = (long double)t->executions / (long double)t->begun;

    e->size = (long double)t->executions / (t->explored > 0 && !t->exhausted ? t->explored : 1);
    e->recursive = t->exhausted ? e->size : t->tree_size > 0 ? t->tree_size * counted : HUGE_VALL;
    return code;
}

/* ---- output -------------------------------------------------------------------------------- */

static long double lower(const struct estimate *e)
{
    long double low = e->mean - 2 * e->error;

    return low > 1 ? low : 1;
}

static long double time_for(long double executions, const struct campaign *c)
{
    return c->rate > 0 ? executions / c->rate : 0;
}

static void tell_all(const struct hd_text *t, const struct estimate *e)
{
    char size[HD_ABOUT], low[HD_ABOUT], high[HD_ABOUT], left[HD_ABOUT], rate[HD_ABOUT];
    char line[400];
    int n;

    hd_about_number(e->mean, size);
    hd_about_number(lower(e), low);
    hd_about_number(e->mean + 2 * e->error, high);
    hd_about_time(time_for(e->mean, &e->probes), left);
    hd_about_number(e->probes.rate, rate);
    n = snprintf(line, sizeof line, "all interleavings: about %s", size);
    if (e->error > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, " (95%%: %s to %s)", low, high);
    snprintf(line + n, sizeof line - (size_t)n, "; %s at %s per second", left, rate);
    hd_text_wrap(t, 0, 2, line);
    if (e->error > UNCERTAIN * e->mean)
        hd_text_wrap(t, 0, 2, "uncertain: the descents differ widely, so there may be many more; "
                              "more descents (--executions) give a better estimate");
}

static void tell_reduced(const struct hd_text *t, const struct estimate *e)
{
    const struct campaign *c = &e->reduced;
    char size[HD_ABOUT], recursive[HD_ABOUT], left[HD_ABOUT], line[400], exact[32];

    hd_about_number(e->size, size);
    hd_about_number(e->recursive, recursive);
    if (c->totals.exhausted) {
        hd_text_number(c->totals.executions, exact, sizeof exact);
        snprintf(line, sizeof line, "with %s: %s execution%s, counted in %.1f s", c->strategy, exact,
                 c->totals.executions == 1 ? "" : "s", c->seconds);
    } else if (c->totals.explored <= 0) {
        snprintf(line, sizeof line, "with %s: not known yet", c->strategy);
    } else if (c->totals.bound >= 0) {
        snprintf(line, sizeof line, "with %s: %.2g%% of bound %lld explored in %.1f s", c->strategy,
                 100 * c->totals.explored, (long long)c->totals.bound, c->seconds);
    } else {
        char other[100] = ""; /* several workers make only the first estimate */

        if (c->totals.tree_size > 0)
            snprintf(other, sizeof other, " (or %s, if branches to come are like their siblings)", recursive);
        hd_about_time(c->seconds / c->totals.explored, left);
        snprintf(line, sizeof line, "with %s: about %s executions%s, %.2g%% of them in %.1f s; %s in all", c->strategy,
                 size, other, 100 * c->totals.explored, c->seconds, left);
    }
    hd_text_wrap(t, 0, 2, line);
}

static void tell(const struct hd_text *t, const struct estimate *e)
{
    char probes[32], line[200];
    uint64_t cut = e->probes.totals.too_long + e->probes.totals.loop_cuts;

    tell_all(t, e);
    tell_reduced(t, e);
    hd_text_number(e->probes.totals.begun, probes, sizeof probes);
    snprintf(line, sizeof line, "%s random descents in %.1f s, seed %llu; at most %llu thread%s, "
             "%llu steps", probes, e->probes.seconds, (unsigned long long)e->seed,
             (unsigned long long)e->probes.totals.threads_max,
             e->probes.totals.threads_max == 1 ? "" : "s",
             (unsigned long long)e->probes.totals.steps_max);
    hd_text_wrap(t, 0, 2, line);
    if (cut > 0)
        hd_text_wrap(t, 0, 2, "executions were given up or loops cut: the whole tree is larger");
    if (e->probes.findings + e->reduced.findings > 0)
        hd_text_wrap(t, 0, 2, "executions failed on the way: 'heddle run' shows them");
}

/* Writes a number.  Values from 1e308 on count as infinite. */
static void number(struct hd_json *j, const char *key, long double value)
{
    hd_json_key(j, key);
    hd_json_double(j, value < 1e308L ? (double)value : HUGE_VAL, 6);
}

static void write_probes(struct hd_json *j, const struct estimate *e)
{
    hd_json_put_object(hd_json_line(j), "interleavings");
    hd_json_put_uint(j, "probes", e->probes.totals.begun);
    number(j, "mean", e->mean);
    number(j, "standard_error", e->error);
    number(j, "low", lower(e));
    number(j, "high", e->mean + 2 * e->error);
    number(j, "executions_per_second", e->probes.rate);
    number(j, "seconds", time_for(e->mean, &e->probes));
    hd_json_end(j);
}

static void write_reduced(struct hd_json *j, const struct estimate *e)
{
    const struct hd_totals *r = &e->reduced.totals;

    hd_json_put_object(hd_json_line(j), "reduced");
    hd_json_put_string(j, "strategy", e->reduced.strategy);
    hd_json_put_bool(j, "exact", r->exhausted);
    hd_json_put_uint(j, "executions", r->executions);
    hd_json_put_uint(j, "redundant", r->redundant);
    number(j, "explored", r->exhausted ? 1 : r->explored);
    number(j, "estimate", e->size);
    number(j, "recursive", e->recursive);
    number(j, "seconds", r->exhausted ? e->reduced.seconds
                         : r->bound >= 0 || r->explored <= 0 ? HUGE_VALL
                         : (long double)e->reduced.seconds / r->explored);
    hd_json_end(j);
}

static void write_json(FILE *out, const void *what)
{
    const struct estimate *e = what;
    struct hd_json j;

    hd_json_open(&j, out, 0);
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", 1);
    hd_json_put_string(&j, "program", e->program);
    hd_json_put_uint(&j, "seed", e->seed);
    write_probes(&j, e);
    write_reduced(&j, e);
    hd_json_put_uint(hd_json_line(&j), "threads_max", e->probes.totals.threads_max);
    hd_json_put_uint(&j, "steps_max", e->probes.totals.steps_max);
    hd_json_put_bool(&j, "failures", e->probes.findings + e->reduced.findings > 0);
    hd_json_end(&j);
    fputc('\n', out);
}

int hd_cmd_estimate(const struct hd_options *o)
{
    struct hd_options with = *o;
    struct estimate e = { .program = o->args[0], .seed = o->seed };
    bool to_stdout = o->files[HD_FORMAT_json] != NULL && strcmp(o->files[HD_FORMAT_json], "-") == 0;
    struct hd_text text = { .out = to_stdout ? stderr : stdout };

    if (with.budget_ms == 0)
        with.budget_ms = DEFAULT_BUDGET_MS;
    int code = measure_probes(&with, &e);

    if (code == HD_EXIT_CLEAN)
        code = measure_reduced(&with, &e);
    if (code != HD_EXIT_CLEAN)
        return code;
    if (!o->quiet)
        tell(&text, &e);
    if (o->files[HD_FORMAT_json] != NULL && !hd_file_write(o->files[HD_FORMAT_json], write_json, &e)) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", o->files[HD_FORMAT_json], strerror(errno));
        return HD_EXIT_USAGE;
    }
    return HD_EXIT_CLEAN;
}
