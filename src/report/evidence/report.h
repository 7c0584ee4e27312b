/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h - a finding with everything that reports need: pointers to the sections of its record,
 * and the results of replays. */
#ifndef HD_REPORT_EVIDENCE_REPORT_H
#define HD_REPORT_EVIDENCE_REPORT_H

#include <stddef.h>

#include "report/evidence/explain.h"
#include "report/names/symbols.h"
#include "wire/wire.h"

/* Maximum number of events whose stacks a report shows.  A replay captures more, for the places of
 * the others. */
enum { HD_DECISIVE_EVENTS = 8 };

struct hd_report {
    const struct hd_wire *wire;
    const struct hd_finding *finding;
    uint64_t execution; /* number in the search; 0: unknown (a replay) */
    struct hd_symbols *symbols;
    const struct hd_decision *decisions;
    const struct hd_event *events;
    const struct hd_event *pending; /* indexed by thread */
    const struct hd_thread_info *threads;
    const struct hd_hold *holds;
    const struct hd_slot *slots;
    struct hd_slot all_slots[HD_MAX_THREADS]; /* `slots` of a finding that has no section of slots */
    const char *output;
    uint32_t ndecisions, nevents, npending, nthreads, nholds, nslots;
    size_t noutput;
    const struct hd_stand *stands;    /* deadlock: the state of each thread */
    uint32_t nstands;
    const struct hd_lock_step *locks; /* warning: the cycle of locks */
    uint32_t nlocks;
    const struct hd_race_info *race;  /* data race; otherwise NULL */
    const struct hd_witness *witness; /* what a replay recorded, or NULL */
    const struct hd_explanation *why; /* the result of comparisons, or NULL */
    const struct hd_ledger *ledger; /* ledger of the session; NULL: reports show no ledger */
};

/* Fills *r with pointers into w and f, which must outlive it.  The caller sets witness, why and
 * ledger, which are NULL at first. */
void hd_report_open(struct hd_report *r, const struct hd_wire *w, const struct hd_finding *f,
                    struct hd_symbols *symbols);

/* Returns the stack of the thread at the event with that index.  Returns NULL if no replay captured
 * it. */
const struct hd_capture *hd_report_witnessed(const struct hd_report *r, uint32_t event);

/* Returns the thread that has that slot, or HD_NO_TID. */
hd_tid hd_report_thread_of_slot(const struct hd_report *r, unsigned slot);

/* Returns the heap block of the finding, or NULL if the finding has none. */
const struct hd_block_info *hd_report_block(const struct hd_report *r);

/* True if the finding is a deadlock or a livelock: it concerns several threads without progress,
 * not one thread that fails. */
bool hd_report_is_stuck(const struct hd_report *r);

/* Returns the pending operation of the thread.  Returns NULL if it has ended or has none. */
const struct hd_event *hd_report_pending(const struct hd_report *r, hd_tid tid);

/* True if the event was recorded without a decision because of its kind.  Ignores atomic sections. */
bool hd_report_is_local(const struct hd_event *e);

/* True if the event was recorded without a decision, because of its kind or because it is inside an
 * atomic section.  The caller passes all events in order; *section is HD_NO_TID at first. */
bool hd_report_is_inner(const struct hd_event *e, hd_tid *section);

/* Returns the number of decisions before the first event that the record contains. */
uint32_t hd_report_first_step(const struct hd_report *r);

#endif
