/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - reports of findings. */
#ifndef HD_RUNTIME_REPORT_FINDING_H
#define HD_RUNTIME_REPORT_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/finding.h"
#include "wire/wire.h"

/* True while an execution is repeated only to compare it (worker/selfcheck.c): nothing is reported. */
extern bool hd_finding_muted __attribute__((visibility("hidden")));

/* Reports a finding.  The running thread continues. */
void hd_report(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports a finding and stops the running thread for good. */
_Noreturn void hd_fail(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define hd_misuse(pc, ...) hd_report(HD_FK_LOCK_MISUSE, pc, __VA_ARGS__)

/* Details of a finding beyond those of every finding (the schedule, events, stacks, output).  NULL
 * or 0: none. */
struct hd_evidence {
    const struct hd_race *race;
    const struct hd_block_info *block;   /* the heap block */
    uint64_t address;                    /* first byte of the invalid access to it */
    const struct hd_polled *polled;      /* livelock: the threads that poll */
    uint32_t npolled;
    const struct hd_cycle_info *cycle;   /* livelock: the events that repeat */
    const struct hd_stand *blocked;      /* deadlock: the state of each thread */
    uint32_t nblocked;
    const struct hd_output_diff *diff;   /* wrong output */
    const char *history;                 /* not linearizable: the record of the execution as text */
    uint32_t nhistory;
};

/* Like hd_report, with this additional evidence. */
void hd_finding_report(enum hd_finding_kind kind, uint64_t pc, const struct hd_evidence *e,
                       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Writes f to the wire; kind, tid, message, pc, signal and address are set.  here: registers of the
 * running thread.  e: may be NULL.  lost: the process of the execution, and with it its threads, is
 * gone (the zygote calls this). */
void hd_finding_emit(struct hd_finding *f, const struct hd_stack_image *here,
                     const struct hd_evidence *e, bool lost);

/* Returns true if this finding ends a search without --keep-going. */
bool hd_ends_search(const struct hd_finding *f);
/* Returns true if an execution with this finding counts as one that fails. */
bool hd_fails_execution(const struct hd_finding *f);

/* Writes a warning to the wire, with the steps of a cycle of locks; warning, tid, pc and signature
 * are set.  The execution must be over.  Does nothing if the warning was reported before. */
void hd_finding_warn(struct hd_finding *f, const struct hd_lock_step *steps, uint32_t n);

/* Returns how many of the first events of this execution a finding leaves out. */
uint32_t hd_finding_events_skipped(void);

/* The first function saves this execution, which is over, in case a later one shows that it is a
 * finding.  The second reports the saved execution as a finding; kind, message and pc are set.
 * Call it when the later execution has just ended. */
void hd_finding_keep(void);
void hd_finding_emit_kept(struct hd_finding *f, const struct hd_evidence *e);
/* Reports a data race.  The running thread makes the second access. */
void hd_finding_race(const struct hd_race *race);

/* Saves the running thread's position and stack in c.  The thread is about to make an access at pc. */
void hd_finding_capture(struct hd_capture *c, uint64_t pc);
/* Sets pcs to the innermost n calls of the running thread, the innermost first, and to 0 where there are fewer. */
void hd_finding_calls(uint64_t *pcs, unsigned n);

/* Replaces "T0" by "main" in a message with room for cap bytes: users know thread 0 by that name. */
void hd_finding_name_main(char *text, size_t cap);

#endif
