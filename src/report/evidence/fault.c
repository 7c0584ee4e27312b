/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.c - texts for injected faults. */
#include "report/evidence/fault.h"

#include <stdio.h>

#include "report/evidence/describe.h"

static const char *ordinal(uint32_t n)
{
    if (n % 100 / 10 == 1)
        return "th";
    return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

/* Returns how often threads have reached the place of event `at`, this time included. */
static uint32_t count_of(const struct hd_report *r, uint32_t at)
{
    uint32_t n = 1;

    for (uint32_t i = 0; i < at; i++)
        n += r->events[i].kind == r->events[at].kind && r->events[i].pc == r->events[at].pc;
    return n;
}

enum { NO_EVENT = UINT32_MAX };

/* Returns the event of the call that the fault interrupted: it failed without a result.  A sleep always waits, so
 * the fault always interrupts it. */
static uint32_t interrupted_call(const struct hd_report *r, uint32_t at)
{
    for (uint32_t i = at + 1; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if (e->tid == r->events[at].tid)
            return e->kind == HD_EV_SLEEP || ((e->flags & HD_EVF_FAILED) && e->value == 0) ? i : NO_EVENT;
    }
    return NO_EVENT;
}

/* Returns the event in which the fault took effect, or NO_EVENT.  A spurious wake-up or an interruption has
 * none if a signal or a result came first, or if the wait has not ended yet. */
static uint32_t effect_of(const struct hd_report *r, uint32_t at)
{
    if (r->events[at].kind == HD_EV_FAULT_EINTR)
        return interrupted_call(r, at);
    if (r->events[at].kind != HD_EV_FAULT_WAKEUP)
        return at;
    for (uint32_t i = at + 1; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if (e->tid == r->events[at].tid && (e->kind == HD_EV_COND_TIMEOUT || e->kind == HD_EV_COND_WAKE))
            return e->kind == HD_EV_COND_TIMEOUT ? i : NO_EVENT;
    }
    return NO_EVENT;
}

static bool is_fault(const struct hd_report *r, uint32_t i)
{
    const struct hd_event *e = &r->events[i];

    return hd_kind_is_fault(e->kind) && e->value == HD_FAULT_TAKEN && effect_of(r, i) != NO_EVENT;
}

bool hd_fault_effect(const struct hd_report *r, uint32_t i, uint32_t *event)
{
    for (uint32_t at = 0; at < r->nevents; at++)
        if (is_fault(r, at) && i-- == 0) {
            *event = effect_of(r, at);
            return true;
        }
    return false;
}

static void describe(const struct hd_report *r, uint32_t at, char *buf, size_t cap)
{
    const struct hd_event *e = &r->events[at];
    uint32_t n = count_of(r, at);
    char who[64], what[256];
    const char *site = hd_describe_site(r, e);

    hd_describe_thread(r, e->tid, who, sizeof who);
    hd_describe_object(r, e->kind == HD_EV_FAULT_MALLOC ? 0 : e->obj, what, sizeof what);
    snprintf(buf, cap, "the %u%s %s%s%s at %s, by %s, %s (fault)", n, ordinal(n), hd_fault_call(e),
             what[0] == '\0'                                                     ? ""
             : e->kind == HD_EV_FAULT_WAKEUP || e->kind == HD_EV_FAULT_EINTR ? " on "
                                                                             : " of ",
             what, site[0] != '\0' ? site : "?", who, hd_fault_outcome(e));
}

bool hd_fault_line(const struct hd_report *r, uint32_t i, char *buf, size_t cap)
{
    for (uint32_t at = 0; at < r->nevents; at++)
        if (is_fault(r, at) && i-- == 0) {
            describe(r, at, buf, cap);
            return true;
        }
    return false;
}

void hd_fault_text(const struct hd_text *t, const struct hd_report *r)
{
    char line[600];

    for (uint32_t i = 0; hd_fault_line(r, i, line, sizeof line); i++) {
        fputs("  ", t->out);
        hd_text_wrap(t, 2, 4, line);
    }
}
