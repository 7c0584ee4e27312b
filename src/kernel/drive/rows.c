/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.c - see rows.h. */
#include "kernel/drive/rows.h"

#include <stdio.h>
#include <string.h>

#include "kernel/drive/linux.h"

static const char *const why_words[HD_KW_WORDS] = {
    [HD_KW_NONE] = "", [HD_KW_ACQUIRE] = "before it acquires ", [HD_KW_RELEASE] = "at its release of ",
    [HD_KW_DOWN] = "before it takes ", [HD_KW_UP] = "as it raises ", [HD_KW_CLI] = "before cli",
    [HD_KW_STI] = "after sti", [HD_KW_ACCESS] = "before its access to ", [HD_KW_BLOCKED] = "waits",
    [HD_KW_YIELD] = "yields", [HD_KW_ENDED] = "ends", [HD_KW_IDLE] = "idle",
    [HD_KW_START] = "before its first call", [HD_KW_SYSCALL] = "at a system call",
};

void hd_krow_name(const struct hd_ksession *s, unsigned context, char *buf, size_t cap)
{
    const struct hd_k_context *c = &s->machine.link->context[context];

    if (s->request->ntests > 0 && context == 0)
        snprintf(buf, cap, "main");
    else if (c->name[0] != '\0')
        snprintf(buf, cap, "%.15s", c->name);
    else
        snprintf(buf, cap, "thread %u", context);
}

void hd_krow_place(const struct hd_ksession *s, uint64_t pc, char *buf, size_t cap)
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

/* Returns the most informative function on the stack, which is not one that only disables interrupts. */
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

void hd_krow_object(const struct hd_ksession *s, uint64_t address, char *buf, size_t cap)
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

            hd_krow_name(s, k, name, sizeof name);
            snprintf(buf, cap, "thread %s+0x%x", name, (unsigned)(address - l->context[k].thread));
            return;
        }
}

/* True for functions in which Linux handles an exception or a warning. */
static bool handles_failure(const char *function)
{
    static const char *const heads[] = { "oops_", "page_fault_oops", "exc_", "asm_exc_", "panic", "die", "__die",
                                         "__warn", "report_bug", "handle_bug", "do_trap", "do_error_trap" };

    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(function, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Writes a place in Linux, for which there are no source lines, as functions and their callers: "pipe_read <
 * vfs_read < ksys_read". */
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

void hd_krow_text(const struct hd_ksession *s, const struct hd_k_log *r, char *buf, size_t cap)
{
    char place[128], object[160] = "";
    const char *why = why_words[r->why];

    if (s->request->ntests > 0) {
        linux_row(s, r, buf, cap);
        return;
    }

    hd_krow_place(s, telling_pc(s, r), place, sizeof place);
    if (r->row == HD_KLOG_TICK && why[0] != '\0' && why[strlen(why) - 1] == ' ')
        hd_krow_object(s, r->object, object, sizeof object);
    if (r->row == HD_KLOG_TICK)
        snprintf(buf, cap, "%s: INTERRUPT %s%s", place, why, object);
    else if (r->row == HD_KLOG_SWITCH)
        snprintf(buf, cap, "%s: %s", place, why[0] != '\0' ? why : "preempted");
    else
        snprintf(buf, cap, "%s: HERE", place);
}

unsigned hd_krow_lane(const struct hd_klink *l, unsigned context)
{
    unsigned lane = 0;

    for (unsigned k = l->is_linux ? 0 : 1; k < context; k++)
        lane += !l->context[k].idle;
    return lane;
}

bool hd_krow_is_shown(const struct hd_klink *l, const struct hd_k_log *r)
{
    return !l->context[r->context].idle && (r->row != HD_KLOG_SWITCH || r->why != HD_KW_NONE);
}
