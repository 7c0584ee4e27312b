/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warning.c - texts for a warning. */
#include "report/evidence/warning.h"

#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/stack.h"

static const char *site(const struct hd_report *r, uint64_t pc)
{
    const char *s = hd_symbols_site(r->symbols, pc);

    return s[0] != '\0' ? s : "?";
}

/* Writes "T1 locks mutex b at f.c:8 while it holds mutex a (taken at f.c:7)". */
static void step_text(const struct hd_report *r, const struct hd_lock_step *s, char *buf, size_t cap)
{
    char who[64], held[200], wanted[200];

    hd_describe_thread(r, s->tid, who, sizeof who);
    hd_describe_typed_object(r, s->held, held, sizeof held);
    hd_describe_typed_object(r, s->wanted, wanted, sizeof wanted);
    snprintf(buf, cap, "%s locks %s at %s while it holds %s (taken at %s)", who, wanted,
             site(r, s->wanted_pc), held, site(r, s->held_pc));
}

/* A long cycle is described by its first two steps and its last one, which closes it. */
static void lock_order(const struct hd_report *r, char *buf, size_t cap)
{
    enum { TOLD = 4, BEGUN = 2 };
    bool all = r->nlocks <= TOLD;
    size_t at = 0;

    for (uint32_t i = 0; i < r->nlocks && at + 1 < cap; i++) {
        char step[600], between[64] = "";

        if (!all && i == BEGUN) {
            i = r->nlocks - 1;
            snprintf(between, sizeof between, "and so on for %u threads, until ", r->nlocks);
        }
        step_text(r, &r->locks[i], step, sizeof step);
        int n = snprintf(buf + at, cap - at, "%s%s%s", i > 0 ? ", " : "", between, step);

        at += n > 0 ? (size_t)n : 0;
    }
}

static void not_joined(const struct hd_report *r, char *buf, size_t cap)
{
    hd_tid tid = (hd_tid)r->finding->tid;
    char who[64], parent[64];

    hd_describe_thread(r, tid, who, sizeof who);
    hd_describe_thread(r, tid < r->nthreads ? r->threads[tid].parent : HD_NO_TID, parent,
                       sizeof parent);
    snprintf(buf, cap, "%s, created by %s at %s, has ended, and nobody joins or detaches it", who,
             parent, site(r, r->finding->pc));
}

static void abort_outside(const struct hd_report *r, char *buf, size_t cap)
{
    char who[64];

    hd_describe_thread(r, (hd_tid)r->finding->tid, who, sizeof who);
    snprintf(buf, cap, "%s aborts a transaction (xabort) at %s and is in none: nothing happens", who, site(r, r->finding->pc));
}

/* Describes where the thread was: its innermost frame in the user's code. */
static void no_progress(const struct hd_report *r, char *buf, size_t cap)
{
    struct hd_frame f[HD_MAX_FRAMES];
    hd_tid tid = (hd_tid)r->finding->tid;
    unsigned n = hd_stack_frames(r, tid, r->finding->pc, f, HD_MAX_FRAMES);
    const struct hd_frame *own = n > 0 ? hd_symbols_own_frame(f, n) : NULL;
    char where[400] = "";

    if (own != NULL && own->line > 0)
        snprintf(where, sizeof where, " (at %s:%d)", hd_base_name(own->file), own->line);
    snprintf(buf, cap, "%s%s", r->finding->message, where);
}

void hd_warning_message(const struct hd_report *r, char *buf, size_t cap)
{
    buf[0] = '\0';
    if (r->finding->warning == HD_WARN_LOCK_ORDER)
        lock_order(r, buf, cap);
    else if (r->finding->warning == HD_WARN_NOT_JOINED)
        not_joined(r, buf, cap);
    else if (r->finding->warning == HD_WARN_NO_PROGRESS)
        no_progress(r, buf, cap);
    else if (r->finding->warning == HD_WARN_TM_ABORT_OUTSIDE)
        abort_outside(r, buf, cap);
}

static void print_frame(FILE *out, const struct hd_frame *f, unsigned number)
{
    fprintf(out, "%s%s (%s:%d)", number == 0 ? "" : number == 1 ? ", called by " : ", ", f->function,
            hd_base_name(f->line > 0 ? f->file : f->module), f->line);
}

/* Prints the stack in one line: "f (a.c:1), called by g (a.c:7), main (a.c:20)". */
static void print_calls(FILE *out, const struct hd_report *r, uint32_t event, uint64_t pc)
{
    enum { SHOWN = 6 };
    const struct hd_capture *c = hd_report_witnessed(r, event);
    uint64_t pcs[HD_MAX_FRAMES] = { pc };
    unsigned n = c != NULL ? hd_stack_captured_pcs(r, c, pcs) : 1, shown = 0;

    for (unsigned i = 0; i < n && shown < SHOWN; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        unsigned nf = hd_symbols_frames(r->symbols, pcs[i], true, f, HD_MAX_FRAMES);

        if (f[0].runtime && shown > 0)
            return;
        for (unsigned k = 0; k < nf && !f[0].runtime && shown < SHOWN; k++, shown++)
            print_frame(out, &f[k], shown);
        if (nf > 0 && strcmp(f[nf - 1].function, "main") == 0)
            return;
    }
}

static void print_step(FILE *out, const struct hd_report *r, const struct hd_lock_step *s)
{
    char who[64], held[200], wanted[200];

    hd_describe_thread(r, s->tid, who, sizeof who);
    hd_describe_typed_object(r, s->held, held, sizeof held);
    hd_describe_typed_object(r, s->wanted, wanted, sizeof wanted);
    fprintf(out, "%s took %s in ", who, held);
    print_calls(out, r, s->held_at, s->held_pc);
    fprintf(out, "\n%s took %s in ", who, wanted);
    print_calls(out, r, s->wanted_at, s->wanted_pc);
    fputc('\n', out);
}

/* Prints the stack of the thread that made no step, and a remedy. */
static void print_no_progress(FILE *out, const struct hd_report *r)
{
    enum { SHOWN = 6 };
    struct hd_frame f[SHOWN];
    unsigned n = hd_stack_frames(r, (hd_tid)r->finding->tid, r->finding->pc, f, SHOWN);

    if (n > 0)
        fputs("It stood in ", out);
    for (unsigned i = 0; i < n; i++)
        print_frame(out, &f[i], i);
    fputs(n > 0 ? "\n" : "", out);
    fputs("It may still come to an end, so it is not a finding. Reduce what the test computes there. --livelock N makes it "
          "a finding, if N steps are enough for every execution. --keep-going continues with other executions.\n", out);
}

void hd_warning_details(FILE *out, const struct hd_report *r)
{
    if (r->finding->warning == HD_WARN_NO_PROGRESS)
        print_no_progress(out, r);
    if (r->finding->warning != HD_WARN_LOCK_ORDER)
        return;
    for (uint32_t i = 0; i < r->nlocks; i++)
        print_step(out, r, &r->locks[i]);
    fputs("No execution so far has deadlocked there, but no common lock and no order that was seen prevents "
          "it.\n", out);
}

unsigned hd_warning_events(const struct hd_report *r, uint32_t *events)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < r->nlocks && n + 2 <= HD_DECISIVE_EVENTS; i++) {
        events[n++] = r->locks[i].held_at;
        events[n++] = r->locks[i].wanted_at;
    }
    return n;
}
