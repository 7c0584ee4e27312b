/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - findings with more detail than hd_report takes. */
#ifndef HD_RUNTIME_REPORT_FINDING_H
#define HD_RUNTIME_REPORT_FINDING_H

#include "runtime/core/rt.h"

/* What a finding has beside what every one has (the schedule, events, stacks, output). */
struct hd_evidence {
    const struct hd_race *race;
    const struct hd_block_info *block;   /* of the heap */
    const struct hd_polled *polled;      /* a livelock: the threads that poll */
    uint32_t npolled;
    const struct hd_cycle_info *cycle;   /* a livelock: the events that repeat */
    const struct hd_stand *blocked;      /* a deadlock: the state of each thread */
    uint32_t nblocked;
};

/* As hd_report, with this evidence. */
void hd_finding_report(enum hd_finding_kind kind, uint64_t pc, const struct hd_evidence *e,
                       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Put f (kind, tid, message, pc, signal, address filled in) on the wire.  here:
 * registers of the running thread; e: may be NULL; lost: its process is gone, and so are
 * the threads (called by the zygote). */
void hd_finding_emit(struct hd_finding *f, const struct hd_stack_image *here,
                     const struct hd_evidence *e, bool lost);

/* Does a record of this kind end a search without --keep-going? */
bool hd_ends_search(const struct hd_finding *f);

/* Put a warning (warning, tid, pc and signature filled in) on the wire, with the steps of
 * a cycle of locks; the execution is over.  It is told once. */
void hd_finding_warn(struct hd_finding *f, const struct hd_lock_step *steps, uint32_t n);

/* Of the events of this execution, so many are not part of a finding: the first ones. */
uint32_t hd_finding_events_skipped(void);

/* Keep this execution, which is over, in case it turns out to be a finding; and that
 * is what it was (kind, message and pc filled in), in an execution that has just ended. */
void hd_finding_keep(void);
void hd_finding_emit_kept(struct hd_finding *f, const struct hd_evidence *e);
/* The same of a data race: the running thread makes the second access. */
void hd_finding_race(const struct hd_race *race);

/* Where the running thread is, with its stack: it is about to make an access at pc. */
void hd_finding_capture(struct hd_capture *c, uint64_t pc);
/* The innermost calls of the running thread, that one first; 0 where there are fewer. */
void hd_finding_calls(uint64_t *pcs, unsigned n);

/* People know thread 0 as main: say so in a message with room for cap bytes. */
void hd_finding_name_main(char *text, size_t cap);

#endif
