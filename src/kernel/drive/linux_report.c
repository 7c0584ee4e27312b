/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux_report.c - finds the messages of Linux and of its test about a failure, and the part of a run that shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/drive/linux.h"

/* The first of these messages that is on the console determines the kind. */
static const struct {
    const char *text, *kind;
} signs[] = {
    { "kernel BUG at", "bug" }, { "WARNING: ", "warning" }, { "KASAN: ", "use-after-free" }, { "BUG kmalloc", "memory" },
    { "BUG: unable to handle", "oops" }, { "BUG: kernel NULL", "oops" }, { "general protection fault", "oops" },
    { "BUG ", "memory" }, { "BUG: ", "bug" }, { "Oops: ", "oops" }, { "Kernel panic", "panic" },
};

static const char *sign_in(const char *console, const char **kind)
{
    const char *first = NULL;

    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(console, signs[i].text);

        if (at != NULL && (first == NULL || at < first)) {
            first = at;
            *kind = signs[i].kind;
        }
    }
    return first;
}

void hd_linux_complaint(const struct hd_ksession *s, char *buf, size_t cap)
{
    const char *kind = "panic";
    char *console = hd_machine_console(&s->machine);

    sign_in(console, &kind);
    snprintf(buf, cap, "%s", kind);
    free(console);
}

/* Copies a line of the console without the carriage return. */
static void copy_line(const char *from, char *buf, size_t cap)
{
    snprintf(buf, cap, "%.*s", (int)strcspn(from, "\r\n"), from);
}

static void say_oops(const char *console, char *buf, size_t cap)
{
    const char *kind, *at = sign_in(console, &kind), *rip;
    size_t n;

    copy_line(at == NULL ? "the kernel panics" : at, buf, cap);
    char *tainted = strstr(buf, " (Tainted"), *end = tainted == NULL ? NULL : strchr(tainted, ')');

    if (end != NULL)
        memmove(tainted, end + 1, strlen(end + 1) + 1);
    rip = at == NULL ? NULL : strstr(at, "RIP: 0010:");
    n = strlen(buf);
    if (rip == NULL || strstr(buf, "WARNING") != NULL)
        return;
    rip += strlen("RIP: 0010:");
    snprintf(buf + n, cap - n, ", in %.*s", (int)strcspn(rip, "/\r\n"), rip);
}

void hd_linux_message(const struct hd_ksession *s, char *buf, size_t cap)
{
    const struct hd_klink *l = s->machine.link;
    char *text;
    const char *line;

    switch ((enum hd_k_end)l->end) {
    case HD_KE_PANIC:
        text = hd_machine_console(&s->machine);
        say_oops(text, buf, cap);
        free(text);
        break;
    case HD_KE_WRONG:
        text = hd_machine_lines(&s->machine);
        line = strstr(text, "wrong: ");
        copy_line(line == NULL ? "the test does not say what" : line + 7, buf, cap);
        free(text);
        break;
    case HD_KE_DEADLOCK:
        snprintf(buf, cap, "no thread of the test has run for 10 seconds of the kernel's time");
        break;
    case HD_KE_HANG:
        snprintf(buf, cap, "the execution does not end: %llu instructions, %u points",
                 (unsigned long long)l->instructions, l->points);
        break;
    case HD_KE_DIED:
        snprintf(buf, cap, "the processor was reset");
        break;
    default:
        snprintf(buf, cap, "nothing");
        break;
    }
}

void hd_linux_line(const struct hd_ksession *s, uint64_t number, char *buf, size_t cap)
{
    char *text = hd_machine_lines(&s->machine);
    const char *at = text;

    for (; number > 0 && *at != '\0'; number--)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    copy_line(at, buf, cap);
    free(text);
}

/* ---- which executions of the run ----------------------------------------------------------- */

void hd_linux_shorten(struct hd_ksession *s, uint64_t signature)
{
    struct hd_klink *l = s->machine.link;
    uint32_t windows = l->window, n = l->nticks;
    struct hd_k_tick *all = hd_zeroed(n + 1, sizeof *all);

    l->batch = windows;
    memcpy(all, l->ticks, n * sizeof *all);
    if (windows > 1) {
        l->nticks = 0;
        l->batch = 1;
        for (uint32_t i = 0; i < n; i++)
            if (all[i].window == windows - 1) {
                l->ticks[l->nticks] = all[i];
                l->ticks[l->nticks++].window = 0;
            }
        if (!hd_ksession_run(s) || hd_ksession_signature(s) != signature) {
            memcpy(l->ticks, all, n * sizeof *all);
            l->nticks = n;
            l->batch = windows;
        }
    }
    free(all);
}
