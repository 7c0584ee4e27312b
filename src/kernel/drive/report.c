/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.c - words for what the plugin has logged. */
#include "kernel/drive/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/json.h"
#include "kernel/drive/linux.h"
#include "search/core/strategy.h"

#define LANE 34
#define LANES 4 /* more contexts than that: one column, with names */
#define ROWS 60

static const char *const why_words[HD_KW_WORDS] = {
    [HD_KW_NONE] = "", [HD_KW_ACQUIRE] = "before it acquires ", [HD_KW_RELEASE] = "at its release of ",
    [HD_KW_DOWN] = "before it takes ", [HD_KW_UP] = "as it raises ", [HD_KW_CLI] = "before cli",
    [HD_KW_STI] = "after sti", [HD_KW_ACCESS] = "before its access to ", [HD_KW_BLOCKED] = "waits",
    [HD_KW_YIELD] = "yields", [HD_KW_ENDED] = "ends", [HD_KW_IDLE] = "idle",
    [HD_KW_START] = "before its first call", [HD_KW_SYSCALL] = "at a system call",
};

static void name_of(const struct hd_ksession *s, unsigned context, char *buf, size_t cap)
{
    const struct hd_k_context *c = &s->machine.link->context[context];

    if (s->request->ntests > 0 && context == 0)
        snprintf(buf, cap, "main");
    else if (c->name[0] != '\0')
        snprintf(buf, cap, "%.15s", c->name);
    else
        snprintf(buf, cap, "thread %u", context);
}

/* "sema_up (sync.c:44)" */
static void place_of(const struct hd_ksession *s, uint64_t pc, char *buf, size_t cap)
{
    char line[64];
    const char *function = hd_kimage_function_at(s->image, pc);

    hd_kimage_line(s->image, pc, line, sizeof line);
    if (function == NULL)
        snprintf(buf, cap, "0x%llx", (unsigned long long)pc);
    else if (line[0] == '\0')
        snprintf(buf, cap, "%.40s", function);
    else
        snprintf(buf, cap, "%.40s (%s)", function, line);
}

/* The function of the kernel that is most telling: not the one that only disables interrupts. */
static uint64_t telling_pc(const struct hd_ksession *s, const struct hd_k_log *r)
{
    for (unsigned i = 0; i < r->nframes; i++) {
        const char *f = hd_kimage_function_at(s->image, r->pc[i]);

        if (f != NULL && strncmp(f, "intr_", 5) != 0 && strcmp(f, "schedule") != 0 &&
            strcmp(f, "switch_threads") != 0 && strcmp(f, "thread_block") != 0)
            return r->pc[i];
    }
    return r->pc[0];
}

static void object_name(const struct hd_ksession *s, uint64_t address, char *buf, size_t cap)
{
    const struct hd_klink *l = s->machine.link;

    if (address == 0) {
        snprintf(buf, cap, "memory");
        return;
    }
    hd_kimage_symbol(s->image, address, buf, cap);
    if (strncmp(buf, "0x", 2) != 0)
        return;
    for (unsigned k = 1; k < l->ncontexts; k++)
        if (l->context[k].thread != 0 && address - l->context[k].thread < l->stack) {
            char name[24];

            name_of(s, k, name, sizeof name);
            snprintf(buf, cap, "thread %s+0x%x", name, (unsigned)(address - l->context[k].thread));
            return;
        }
}

/* ---- the message ------------------------------------------------------------------------ */

void hd_kreport_message(const struct hd_ksession *s, char *buf, size_t cap)
{
    const struct hd_klink *l = s->machine.link;
    char name[24], by[24], place[128], freed[128];

    if (s->request->ntests > 0) {
        hd_linux_message(s, buf, cap);
        return;
    }
    name_of(s, l->end_context, name, sizeof name);
    switch ((enum hd_k_end)l->end) {
    case HD_KE_PANIC:
        snprintf(buf, cap, "thread %s panics: %s", name, l->end_text);
        break;
    case HD_KE_FAULT:
        place_of(s, l->end_object, place, sizeof place);
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
        name_of(s, l->freed_by, by, sizeof by);
        place_of(s, l->log[l->nlog - 1].pc[0], place, sizeof place);
        place_of(s, l->freed_pc, freed, sizeof freed);
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
        place_of(s, r->pc[i], place, sizeof place);
        fprintf(out, "%s%s", i == 0 ? "" : " < ", place);
    }
    fputc('\n', out);
}

/* In Linux any wake-up makes a thread look ready (plugin/linux.c), but then it would have run. */
static bool is_blocked(const struct hd_klink *l, const struct hd_k_context *c)
{
    return c->state == HD_KS_BLOCKED || (l->is_linux && l->end == HD_KE_DEADLOCK);
}

/* Where each thread stands: its last row in the log. */
static void print_threads(const struct hd_ksession *s, FILE *out)
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
        name_of(s, k, name, sizeof name);
        fprintf(out, "  %-10s %s", name, is_blocked(l, c) ? "waits" : "could run");
        if (c->state == HD_KS_BLOCKED && c->wants != 0) {
            object_name(s, c->wants, object, sizeof object);
            fprintf(out, " for %s", object);
            for (unsigned i = 0; i < l->nlocks; i++)
                if (l->lock[i].address == c->wants) {
                    name_of(s, l->lock[i].owner, owner, sizeof owner);
                    fprintf(out, ", which %s holds", owner);
                }
        }
        fputs(": ", out);
        print_stack(s, last, out);
    }
}

/* Functions in which Linux handles an exception or a warning. */
static bool handles_failure(const char *function)
{
    static const char *const heads[] = { "oops_", "page_fault_oops", "exc_", "asm_exc_", "panic", "die", "__die",
                                         "__warn", "report_bug", "handle_bug", "do_trap", "do_error_trap" };

    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(function, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Linux has no source lines here, so its callers tell where it is: "pipe_read < vfs_read < ksys_read" */
static void linux_place(const struct hd_ksession *s, const struct hd_k_log *r, char *buf, size_t cap)
{
    size_t n = 0;

    buf[0] = '\0';
    for (unsigned i = 0, shown = 0; i < r->nframes && shown < 4 && n < cap; i++) {
        const char *f = hd_kimage_function_at(s->image, r->pc[i]);

        if (f == NULL || handles_failure(f))
            continue;
        n += (size_t)snprintf(buf + n, cap - n, "%s%s", shown++ == 0 ? "" : " < ", f);
    }
}

static void linux_row(const struct hd_ksession *s, const struct hd_k_log *r, char *buf, size_t cap)
{
    char place[200], object[32] = "";
    const char *why = why_words[r->why];

    if (r->row == HD_KLOG_CALL) {
        hd_linux_line(s, r->object, buf, cap);
        return;
    }
    linux_place(s, r, place, sizeof place);
    if (r->object != 0)
        snprintf(object, sizeof object, " (0x%llx)", (unsigned long long)r->object);
    if (r->row == HD_KLOG_TICK && r->why == HD_KW_ACCESS)
        snprintf(buf, cap, "PREEMPTED in %s, before an access to shared memory%s", place, object);
    else if (r->row == HD_KLOG_TICK)
        snprintf(buf, cap, "PREEMPTED %s", why);
    else if (r->row == HD_KLOG_SWITCH)
        snprintf(buf, cap, r->why == HD_KW_ENDED ? "ends" : "waits in %s", place);
    else
        snprintf(buf, cap, r->context == 0 ? "HERE" : "HERE, in %s", place);
}

static void row_text(const struct hd_ksession *s, const struct hd_k_log *r, char *buf, size_t cap)
{
    char place[128], object[160] = "";
    const char *why = why_words[r->why];

    if (s->request->ntests > 0) {
        linux_row(s, r, buf, cap);
        return;
    }

    place_of(s, telling_pc(s, r), place, sizeof place);
    if (r->row == HD_KLOG_TICK && why[0] != '\0' && why[strlen(why) - 1] == ' ')
        object_name(s, r->object, object, sizeof object);
    if (r->row == HD_KLOG_TICK)
        snprintf(buf, cap, "%s: INTERRUPT %s%s", place, why, object);
    else if (r->row == HD_KLOG_SWITCH)
        snprintf(buf, cap, "%s: %s", place, why[0] != '\0' ? why : "preempted");
    else
        snprintf(buf, cap, "%s: HERE", place);
}

/* Idle threads have no column, and the timer has none; in Linux its place is that of the main thread. */
static unsigned lane_of(const struct hd_klink *l, unsigned context)
{
    unsigned lane = 0;

    for (unsigned k = l->is_linux ? 0 : 1; k < context; k++)
        lane += !l->context[k].idle;
    return lane;
}

static bool is_in_lanes(const struct hd_klink *l)
{
    return lane_of(l, l->ncontexts) <= LANES;
}

static void print_row(const struct hd_ksession *s, const struct hd_k_log *r, unsigned number, FILE *out)
{
    const struct hd_klink *l = s->machine.link;
    char text[320], name[24];

    row_text(s, r, text, sizeof text);
    name_of(s, r->context, name, sizeof name);
    fprintf(out, "  %3u ", number);
    if (!is_in_lanes(l)) {
        fprintf(out, "%-10s %s\n", name, text);
        return;
    }
    const char *colon = strstr(text, "): ");
    int first = colon == NULL ? (int)strlen(text) : (int)(colon - text) + 1;

    fprintf(out, "%*s%.*s\n", (int)lane_of(l, r->context) * LANE, "", first, text);
    if (colon != NULL)
        fprintf(out, "      %*s  %s\n", (int)lane_of(l, r->context) * LANE, "", colon + 3);
}

static void print_lanes(const struct hd_ksession *s, FILE *out)
{
    const struct hd_klink *l = s->machine.link;
    unsigned shown = 0, column = 0;
    char name[24];

    if (is_in_lanes(l)) {
        fputs("      ", out);
        for (unsigned k = l->is_linux ? 0 : 1; k < l->ncontexts; k++) {
            name_of(s, k, name, sizeof name);
            if (!l->context[k].idle)
                fprintf(out, "%*s%s", (int)(lane_of(l, k) * LANE - column), "", name);
            column = l->context[k].idle ? column : lane_of(l, k) * LANE + (unsigned)strlen(name);
        }
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < l->nlog; i++) {
        const struct hd_k_log *r = &l->log[i];

        /* a switch in an interrupt has its own row already, and idle threads tell nothing */
        if (l->context[r->context].idle || (r->row == HD_KLOG_SWITCH && r->why == HD_KW_NONE))
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
    print_threads(s, out);
    fputs("\nWhat happened (a column for each thread):\n", out);
    print_lanes(s, out);
    if (f->schedule[0] != '\0')
        fprintf(out, "\nTo run it again: heddle kernel replay %s\n", f->schedule);
    fputc('\n', out);
}

/* ---- the verdict ------------------------------------------------------------------------ */

static void guarantee(const struct hd_ksession *s, char *buf, size_t cap)
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

    guarantee(s, text, sizeof text);
    fprintf(out, "%s: %llu executions, %s\n",
            code == HD_EXIT_FINDING ? "BUG" : code == HD_EXIT_CLEAN ? "CLEAN" : code == HD_EXIT_DIVERGED
            ? "DIVERGED" : "NOTHING FOUND", (unsigned long long)t->executions,
            code == HD_EXIT_FINDING ? "a finding" : text);
    fprintf(out, "  %.1f s, %.1f executions/s; for each execution %llu instructions, %llu points, %.1f interrupts; "
                 "%u racing instructions\n", s->seconds, s->seconds > 0 ? (double)t->executions / s->seconds : 0.0,
            (unsigned long long)(t->instructions / n), (unsigned long long)(t->points / n),
            (double)t->ticks / (double)n, l->nsites);
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

static const char *verdict_word(int code)
{
    switch (code) {
    case HD_EXIT_CLEAN: return "clean";
    case HD_EXIT_FINDING: return "bug";
    case HD_EXIT_BUDGET: return "budget";
    case HD_EXIT_DIVERGED: return "diverged";
    default: return "error";
    }
}

static void write_findings(const struct hd_ksession *s, struct hd_json *j)
{
    hd_json_put_array(j, "findings");
    for (unsigned i = 0; i < s->nfindings; i++) {
        const struct hd_kernel_finding *f = &s->finding[i];

        hd_json_line(j);
        hd_json_object(j);
        hd_json_put_string(j, "id", f->id);
        hd_json_put_string(j, "kind", f->kind);
        hd_json_put_string(j, "message", f->message);
        hd_json_put_uint(j, "execution", f->execution);
        hd_json_put_uint(j, "interrupts", f->ticks);
        hd_json_put_bool(j, "minimal", f->minimal);
        hd_json_put_uint(j, "reproduced", f->reproduced);
        hd_json_put_uint(j, "tried", f->tried);
        hd_json_put_uint(j, "executions", f->windows);
        hd_json_put_string(j, "schedule", f->schedule);
        hd_json_end(j);
    }
    hd_json_end(j);
}

bool hd_kreport_json(const struct hd_ksession *s, int code, const char *file)
{
    const struct hd_kernel_request *r = s->request;
    const struct hd_klink *l = s->machine.link;
    FILE *out = strcmp(file, "-") == 0 ? stdout : fopen(file, "w");
    struct hd_json j;
    char text[300], version[160];

    if (out == NULL) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", file, strerror(errno));
        return false;
    }
    guarantee(s, text, sizeof text);
    hd_machine_version(version, sizeof version);
    hd_json_open(&j, out, 0);
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", 1);
    hd_json_put_string(&j, "kernel", r->kernel);
    hd_json_put_string(&j, "words", r->words);
    hd_json_put_string(&j, "qemu", version);
    hd_json_put_string(&j, "strategy", r->strategy);
    hd_json_put_string(&j, "verdict", verdict_word(code));
    hd_json_put_bool(&j, "complete", s->complete && s->nfindings == 0);
    hd_json_put_string(&j, "guarantee", text);
    hd_json_put_uint(&j, "executions", l->total.executions);
    hd_json_put_int_or_null(&j, "bound", r->bound >= 0, r->bound);
    hd_json_put_uint(&j, "seed", r->seed);
    hd_json_key(&j, "seconds");
    hd_json_fixed(&j, s->seconds, 3);
    hd_json_put_uint(&j, "instructions", l->total.instructions);
    hd_json_put_uint(&j, "points", l->total.points);
    hd_json_put_uint(&j, "interrupts", l->total.ticks);
    hd_json_put_uint(&j, "idle_interrupts", l->total.idle_ticks);
    hd_json_put_uint(&j, "racing_instructions", l->nsites);
    hd_json_put_uint(&j, "held_back", l->total.starved);
    hd_json_put_uint(&j, "unreachable", l->total.unreachable);
    hd_json_put_uint(&j, "late_interrupts", l->total.late);
    hd_json_put_int_or_null(&j, "first_bug_execution", s->nfindings > 0,
                            s->nfindings > 0 ? (int64_t)s->finding[0].execution : 0);
    write_findings(s, &j);
    hd_json_end(&j);
    fputc('\n', out);
    bool good = ferror(out) == 0;

    return (out == stdout ? fflush(out) == 0 : fclose(out) == 0) && good;
}
