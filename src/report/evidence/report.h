/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h - a finding with everything that is needed to put it into words: the sections of
 * its record unpacked, and what running it again has added. */
#ifndef HD_REPORT_EVIDENCE_REPORT_H
#define HD_REPORT_EVIDENCE_REPORT_H

#include <stddef.h>

#include "report/evidence/explain.h"
#include "report/names/symbols.h"
#include "wire/wire.h"

struct hd_report {
    const struct hd_wire *wire;
    const struct hd_finding *finding;
    uint64_t execution; /* its number in the search; 0: not known, of a replay */
    struct hd_symbols *symbols;
    const struct hd_decision *decisions;
    const struct hd_event *events;
    const struct hd_event *pending; /* by thread */
    const struct hd_thread_info *threads;
    const struct hd_hold *holds;
    const struct hd_slot *slots;
    struct hd_slot all_slots[HD_MAX_THREADS]; /* for a finding that has none of its own */
    const char *output;
    uint32_t ndecisions, nevents, npending, nthreads, nholds, nslots;
    size_t noutput;
    const struct hd_stand *stands;    /* of a deadlock: how the threads stand */
    uint32_t nstands;
    const struct hd_lock_step *locks; /* of a warning: the cycle of locks */
    uint32_t nlocks;
    const struct hd_race_info *race;  /* of a data race, else NULL */
    const struct hd_witness *witness; /* what running it again has told, or NULL */
    const struct hd_explanation *why; /* what comparing it has told, or NULL */
    const struct hd_ledger *ledger; /* the session's; NULL: none is to be shown */
};

void hd_report_open(struct hd_report *r, const struct hd_wire *w, const struct hd_finding *f,
                    struct hd_symbols *symbols);

/* The stack of the thread at the event of that number; NULL: nobody has looked. */
const struct hd_capture *hd_report_witnessed(const struct hd_report *r, uint32_t event);

/* The thread that has that slot; HD_NO_TID: none. */
hd_tid hd_report_thread_of_slot(const struct hd_report *r, unsigned slot);

/* The heap block that the finding is about; NULL: none. */
const struct hd_block_info *hd_report_block(const struct hd_report *r);

/* Is it about threads that get no further, all of them, rather than about one that fails? */
bool hd_report_is_stuck(const struct hd_report *r);

/* What the thread does next or waits for; NULL when it has ended. */
const struct hd_event *hd_report_pending(const struct hd_report *r, hd_tid tid);

/* True when the event was recorded without being a decision, but for an atomic section. */
bool hd_report_is_local(const struct hd_event *e);

/* The same for a walk over all events in their order; *section is HD_NO_TID at first. */
bool hd_report_is_inner(const struct hd_event *e, hd_tid *section);

/* How many decisions come before the first event that was kept. */
uint32_t hd_report_first_step(const struct hd_report *r);

#endif
