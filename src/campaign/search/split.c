/* SPDX-License-Identifier: BSD-2-Clause
 *
 * split.c - searches the splits of a script one after the other. */
#include "campaign/search/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "campaign/search/exits.h"
#include "campaign/search/linearize.h"

enum { STEPS = 16 };

static uint64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Names a split by the client of each step, for example "1121". */
static void name_split(uint32_t second, unsigned steps, char *name)
{
    for (unsigned i = 0; i < steps; i++)
        name[i] = second >> i & 1 ? '2' : '1';
    name[steps] = '\0';
}

static const char *word_of(int code)
{
    return code == HD_EXIT_CLEAN ? "CLEAN" : code == HD_EXIT_FINDING ? "FAILED" : code == HD_EXIT_BUDGET ? "not complete" : "error";
}

static void tell(const struct hd_options *o, const char *split, const struct hd_one_result *r)
{
    FILE *out = hd_outputs_take_stdout(o) ? stderr : stdout;

    if (o->quiet)
        return;
    fprintf(out, "split %s: %s, %" PRIu64 " execution%s\n", split, word_of(r->code), r->executions,
            r->executions == 1 ? "" : "s");
    fflush(out);
}

struct splits {
    const struct hd_options *o;
    struct hd_outputs *outputs;
    const struct hd_one *one;
    struct hd_one_result *out;
    unsigned steps, done;
    uint64_t until; /* 0: no limit */
};

/* Searches one split.  Returns false if no other split should be searched. */
static bool search(struct splits *s, uint32_t second)
{
    struct hd_options with = *s->o;
    struct hd_one_result r;
    char name[STEPS + 1];
    uint64_t now = now_ms();

    if (s->until != 0 && now >= s->until) {
        s->out->code = hd_exit_worse(s->out->code, HD_EXIT_BUDGET);
        return false;
    }
    with.split = second + 1;
    with.quiet = true;
    with.budget_ms = s->until != 0 ? s->until - now : 0;
    hd_linearize_search(&with, s->outputs, s->one, hd_search_stage, &r);
    name_split(second, s->steps, name);
    tell(s->o, name, &r);
    s->done++;
    s->out->code = hd_exit_worse(s->out->code, r.code);
    s->out->executions += r.executions;
    s->out->interrupted = r.interrupted;
    return !r.interrupted && (s->o->keep_going || (r.code != HD_EXIT_FINDING && r.code != HD_EXIT_USAGE));
}

/* True if the user wants report files, which are refused: a file holds one result, and there is one for each
 * split. */
static bool wants_files(const struct hd_options *o)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (o->files[i] != NULL)
            return true;
    return o->outcomes_file != NULL;
}

void hd_split_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                     struct hd_one_result *out)
{
    struct splits s = { .o = o, .outputs = outputs, .one = one, .out = out,
                        .until = o->budget_ms != 0 ? now_ms() + o->budget_ms : 0 };

    if (wants_files(o)) {
        *out = (struct hd_one_result){ .code = HD_EXIT_USAGE };
        fputs("heddle: --split writes no report files; 'heddle report' writes that of a finding\n", stderr);
        return;
    }
    s.steps = hd_linearize_steps(o, outputs, one, out);
    if (s.steps == 0)
        return;
    *out = (struct hd_one_result){ .ran = true };
    if (s.steps < 2 || s.steps > STEPS) {
        fprintf(stderr, "heddle: %s: --split: the script has %u step%s; it needs 2 to %d\n", one->argv[0], s.steps,
                s.steps == 1 ? "" : "s", STEPS);
        out->code = HD_EXIT_USAGE;
        return;
    }
    uint32_t all = (UINT32_C(1) << (s.steps - 1)) - 1;

    for (uint32_t i = 1; i <= all && search(&s, i << 1); i++)
        ;
    if (!o->quiet)
        fprintf(hd_outputs_take_stdout(o) ? stderr : stdout, "%s: %u of %u splits searched, %" PRIu64 " executions\n",
                word_of(out->code), s.done, all, out->executions);
}
