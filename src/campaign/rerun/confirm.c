/* SPDX-License-Identifier: BSD-2-Clause
 *
 * confirm.c - replays a finding once in a child process. */
#include "campaign/rerun/confirm.h"

#include <string.h>
#include <sys/mman.h>

#include "campaign/rerun/child_session.h"

enum { BUDGET_MS = 20000 };

struct look {
    uint64_t occurrence;
    enum hd_finding_kind kind;
    enum hd_confirm *again; /* points into memory that the parent shares */
};

static void look(struct hd_session *s, void *ctx)
{
    struct look *l = ctx;

    s->leaves_signals = true;
    if (hd_session_run(s, BUDGET_MS) == HD_EXIT_CLEAN)
        *l->again = hd_confirm_judge(s, l->occurrence, l->kind);
}

enum hd_confirm hd_confirm_judge(const struct hd_session *replay, uint64_t occurrence, enum hd_finding_kind kind)
{
    if (replay->wire->exec.ending == HD_END_DIVERGED)
        return HD_CONFIRMED_NO;
    for (const struct hd_finding *f = hd_wire_finding_first(replay->wire); f != NULL;
         f = hd_wire_finding_next(replay->wire, f))
        if (f->occurrence == occurrence || (f->warning == HD_WARN_NONE && f->kind == kind))
            return HD_CONFIRMED_YES;
    return HD_CONFIRMED_NO;
}

/* True if a replay can show the finding again.  False if the program hangs, or has overwritten the memory that it
 * shares with Heddle: the replay could not report that, and the watchdog would have to wait again. */
static bool can_be_seen(const struct hd_result_finding *f)
{
    return f->kind != HD_FK_NONDETERMINISM &&
           (f->kind != HD_FK_LIVELOCK || strstr(f->message, "for a long time") == NULL) &&
           strstr(f->message, "a call that Heddle does not control") == NULL;
}

enum hd_confirm hd_confirm_run(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f)
{
    struct look l = { f->record->occurrence, f->kind, NULL };

    if (!can_be_seen(f) || s->wire->config.traits.native || !hd_can_fix_addresses() ||
        (l.again = hd_child_session_memory(sizeof *l.again)) == NULL)
        return HD_CONFIRMED_UNKNOWN;
    hd_child_session(s, schedule, look, &l);
    enum hd_confirm again = *l.again;

    munmap(l.again, sizeof *l.again);
    return again;
}
