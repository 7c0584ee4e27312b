/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.c - prints the events that the plugin has logged. */
#include "kernel/drive/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "kernel/drive/linux.h"
#include "kernel/drive/rows.h"
#include "search/core/strategy.h"

#define LANE 34
#define LANES 4 /* with more contexts, the table has one column with names */
#define ROWS 60

/* ---- the message ------------------------------------------------------------------------ */

void hd_kreport_message(const struct hd_ksession *s, char *buf, size_t cap)
{
    const struct hd_klink *l = s->machine.link;
    char name[24], by[24], place[128], freed[128];

    if (s->request->ntests > 0) {
        hd_linux_message(s, buf, cap);
        return;
    }
    hd_krow_name(s, l->end_context, name, sizeof name);
    switch ((enum hd_k_end)l->end) {
    case HD_KE_PANIC:
        snprintf(buf, cap, "thread %s panics: %s", name, l->end_text);
        break;
    case HD_KE_FAULT:
        hd_krow_place(s, l->end_object, place, sizeof place);
        snprintf(buf, cap, "thread %s causes an exception in %s", name, place);
        break;
    case HD_KE_DIED:
        snprintf(buf, cap, "the processor was reset (an exception in the handler of an exception)");
        break;
    case HD_KE_DEADLOCK:
        snprintf(buf, cap, "no thread can run, and ticks of the timer do not change that");
        break;
    case HD_KE_HANG:
        snprintf(buf, cap, "the test does not end: %llu instructions, %u points",
                 (unsigned long long)l->instructions, l->points);
        break;
    case HD_KE_FREED:
        hd_krow_name(s, l->freed_by, by, sizeof by);
        hd_krow_place(s, l->log[l->nlog - 1].pc[0], place, sizeof place);
        hd_krow_place(s, l->freed_pc, freed, sizeof freed);
        snprintf(buf, cap, "%s uses memory that was freed, in %s; %s had freed it in %s", name, place, by, freed);
        break;
    default:
        snprintf(buf, cap, "nothing");
        break;
    }
}

/* ---- the finding ------------------------------------------------------------------------ */

static void print_stack(const struct hd_ksession *s, const struct hd_k_log *r, FILE *out)
{
    char place[128];

    for (unsigned i = 0; i < r->nframes && i < 8; i++) {
        hd_krow_place(s, r->pc[i], place, sizeof place);
        fprintf(out, "%s%s", i == 0 ? "" : " < ", place);
    }
    fputc('\n', out);
}

/* True if the thread is blocked.  In Linux any wake-up makes a thread look ready (plugin/linux.c), but a ready
 * thread would have run. */
static bool is_blocked(const struct hd_klink *l, const struct hd_k_context *c)
{
    return c->state == HD_KS_BLOCKED || (l->is_linux && l->end == HD_KE_DEADLOCK);
}

void hd_kreport_threads(const struct hd_ksession *s, FILE *out)
{
    const struct hd_klink *l = s->machine.link;
    char name[24], object[160], owner[24];

    for (unsigned k = 1; k < l->ncontexts; k++) {
        const struct hd_k_context *c = &l->context[k];
        const struct hd_k_log *last = NULL;

        for (uint32_t i = 0; i < l->nlog; i++)
            if (l->log[i].context == k)
                last = &l->log[i];
        if (c->idle || c->state == HD_KS_ENDED || last == NULL)
            continue;
        hd_krow_name(s, k, name, sizeof name);
        fprintf(out, "  %-10s %s", name, is_blocked(l, c) ? "waits" : "could run");
        if (c->state == HD_KS_BLOCKED && c->wants != 0) {
            hd_krow_object(s, c->wants, object, sizeof object);
            fprintf(out, " for %s", object);
            for (unsigned i = 0; i < l->nlocks; i++)
                if (l->lock[i].address == c->wants) {
                    hd_krow_name(s, l->lock[i].owner, owner, sizeof owner);
                    fprintf(out, ", which %s holds", owner);
                }
        }
        fputs(": ", out);
        print_stack(s, last, out);
    }
}

static bool is_in_lanes(const struct hd_klink *l)
{
    return hd_krow_lane(l, l->ncontexts) <= LANES;
}

static void print_row(const struct hd_ksession *s, const struct hd_k_log *r, unsigned number, FILE *out)
{
    const struct hd_klink *l = s->machine.link;
    char text[320], name[24];

    hd_krow_text(s, r, text, sizeof text);
    hd_krow_name(s, r->context, name, sizeof name);
    fprintf(out, "  %3u ", number);
    if (!is_in_lanes(l)) {
        fprintf(out, "%-10s %s\n", name, text);
        return;
    }
    const char *colon = strstr(text, "): ");
    int first = colon == NULL ? (int)strlen(text) : (int)(colon - text) + 1;

    fprintf(out, "%*s%.*s\n", (int)hd_krow_lane(l, r->context) * LANE, "", first, text);
    if (colon != NULL)
        fprintf(out, "      %*s  %s\n", (int)hd_krow_lane(l, r->context) * LANE, "", colon + 3);
}

static void print_lanes(const struct hd_ksession *s, FILE *out)
{
    const struct hd_klink *l = s->machine.link;
    unsigned shown = 0, column = 0;
    char name[24];

    if (is_in_lanes(l)) {
        fputs("      ", out);
        for (unsigned k = l->is_linux ? 0 : 1; k < l->ncontexts; k++) {
            hd_krow_name(s, k, name, sizeof name);
            if (!l->context[k].idle)
                fprintf(out, "%*s%s", (int)(hd_krow_lane(l, k) * LANE - column), "", name);
            column = l->context[k].idle ? column : hd_krow_lane(l, k) * LANE + (unsigned)strlen(name);
        }
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < l->nlog; i++) {
        const struct hd_k_log *r = &l->log[i];

        if (!hd_krow_is_shown(l, r))
            continue;
        if (++shown > ROWS) {
            fprintf(out, "  ... and %u more\n", l->nlog - i + l->log_lost);
            return;
        }
        print_row(s, r, shown, out);
    }
}

void hd_kreport_finding(const struct hd_ksession *s, const struct hd_kernel_finding *f, FILE *out)
{
    fprintf(out, "FINDING %s: %s\n", f->kind, f->message);
    if (f->execution != 0)
        fprintf(out, "  in execution %llu, reproduced %u of %u; interrupts: %u%s\n",
                (unsigned long long)f->execution, f->reproduced, f->tried, f->ticks,
                f->minimal && f->ticks > 0 ? ", each of them needed" : "");
    if (f->windows > 1)
        fprintf(out, "  it needs the %u executions since the snapshot: the last one alone does not fail\n", f->windows);
    fputs("\nThreads:\n", out);
    hd_kreport_threads(s, out);
    fputs("\nWhat happened (a column for each thread):\n", out);
    print_lanes(s, out);
    if (f->schedule[0] != '\0')
        fprintf(out, "\nTo run it again: heddle kernel replay %s\n", f->schedule);
    fputc('\n', out);
}

/* ---- the verdict ------------------------------------------------------------------------ */

void hd_kreport_guarantee(const struct hd_ksession *s, char *buf, size_t cap)
{
    const struct hd_kernel_request *r = s->request;
    char bound[64] = "every set of timer interrupts";

    if (!s->complete) {
        snprintf(buf, cap, "nothing proved: a sample of the places where a timer interrupt can come");
        return;
    }
    if (r->bound >= 0)
        snprintf(bound, sizeof bound, "every set of at most %lld timer interrupts", (long long)r->bound);
    snprintf(buf, cap, "%s at %s, and accesses seen to race%s, "
                       "each run from one snapshot", bound,
             r->ntests > 0 ? "the begin of threads and system calls" : "cli, sti, calls of locks and semaphores", r->nfilters > 0 ? " (as --within and --without allow)" : "");
}

void hd_kreport_verdict(const struct hd_ksession *s, int code, FILE *out)
{
    const struct hd_kernel_request *r = s->request;
    const struct hd_klink *l = s->machine.link;
    const struct hd_k_counters *t = &l->total;
    uint64_t n = t->executions > 0 ? t->executions : 1;
    char text[300];

    hd_kreport_guarantee(s, text, sizeof text);
    fprintf(out, "%s: %llu executions, %s\n",
            code == HD_EXIT_FINDING ? "BUG" : code == HD_EXIT_CLEAN ? "CLEAN" : code == HD_EXIT_DIVERGED
            ? "DIVERGED" : "NOTHING FOUND", (unsigned long long)t->executions,
            code == HD_EXIT_FINDING ? "a finding" : text);
    fprintf(out, "  %.1f s, %.1f executions/s; for each execution %llu instructions, %llu points, %.1f interrupts; "
                 "%u racing instructions\n", s->seconds, s->seconds > 0 ? (double)t->executions / s->seconds : 0.0,
            (unsigned long long)(t->instructions / n), (unsigned long long)(t->points / n),
            (double)t->ticks / (double)n, l->nsites);
    const struct hd_machine *m = &s->machine;

    if (m->restores > 0)
        fprintf(out, "  the snapshot was loaded %u times, %.1f ms each\n", m->restores,
                1000 * m->restore_seconds / m->restores);
    if (t->starved + t->unreachable > 0)
        fprintf(out, "  %llu times a thread was held back for others, %llu times the kernel did not run the wanted "
                     "thread\n", (unsigned long long)t->starved, (unsigned long long)t->unreachable);
    if (t->late > 0)
        fprintf(out, "  %llu interrupts came later than they should\n", (unsigned long long)t->late);
    if (r->ntests > 0 && l->nsites == 0 && t->executions > 0)
        fputs("  the threads of the test share no memory of the kernel: only the order of their system calls was varied\n", out);
    if (t->points == 0 && t->executions > 0)
        fputs("  no execution had a point at which an interrupt could come: is the test the right one?\n", out);
}

const char *hd_kreport_word(int code)
{
    switch (code) {
    case HD_EXIT_CLEAN: return "clean";
    case HD_EXIT_FINDING: return "bug";
    case HD_EXIT_BUDGET: return "budget";
    case HD_EXIT_DIVERGED: return "diverged";
    default: return "error";
    }
}
