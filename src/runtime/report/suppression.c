/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.c - waits for the conductor's judgement of findings, and applies it. */
#include "runtime/report/suppression.h"

#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "wire/wire.h"

static bool hid_failure;

bool hd_suppression_hid_failure(void)
{
    return hid_failure;
}

void hd_suppression_hit(struct hd_finding *record)
{
    if (record->hit_in != hd.wire->attempts) {
        record->hit_in = hd.wire->attempts;
        record->hits = 0;
    }
    record->hits++;
}

/* Waits for the judgement of f.  The worker need not notify the conductor, which polls the wire, and polls more
 * often after a finding.  The heartbeat tells the conductor that the waiting worker does not hang. */
static enum hd_judgement await(const struct hd_finding *f)
{
    struct timespec pause = { 0, 100000 };
    uint32_t judgement;

    while ((judgement = __atomic_load_n(&f->judgement, __ATOMIC_ACQUIRE)) == HD_NOT_JUDGED) {
        hd.wire->heartbeat++;
        hd_sys(SYS_nanosleep, (long)&pause, 0, 0);
    }
    return (enum hd_judgement)judgement;
}

static void count(const struct hd_finding *f)
{
    struct hd_wire *w = hd.wire;

    if (w->nstopping++ == 0)
        w->found_in = hd.exec->index;
    hd_common_found(w->common, f->index);
}

/* A record without judgement may be from an earlier execution: a worker may have died after it wrote the record
 * and before it came here, and not every finding is reported again when the execution is repeated. */
void hd_suppression_settle(void)
{
    struct hd_wire *w = hd.wire;

    hid_failure = false;
    if (!hd_config_awaits_suppression(hd.cfg) || (hd.exec->findings == 0 && w->nsettled == w->nfindings))
        return;
    for (const struct hd_finding *f = hd_wire_finding_first(w); f != NULL;
         f = hd_wire_finding_next(w, f)) {
        bool stops = hd_ends_search(f);

        if (hd_fails_execution(f) && f->hit_in == w->attempts && await(f) == HD_SUPPRESSED) {
            hd.exec->findings -= f->hits;
            hid_failure = true;
        }
        if (f->number <= w->nsettled)
            continue;
        if (stops && await(f) == HD_COUNTS)
            count(f);
        w->nsettled = f->number;
    }
}
