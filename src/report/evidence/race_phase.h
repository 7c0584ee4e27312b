/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_phase.h - whether a race concerns the beginning or the end of the memory's life.
 *
 * Such a race may have one order only: an object is initialised before others can see it, and destroyed when nobody uses it any
 * more, by a rule that Heddle does not know.  Names of functions are only a hint, so nothing depends on it but the
 * list of races. */
#ifndef HD_REPORT_EVIDENCE_RACE_PHASE_H
#define HD_REPORT_EVIDENCE_RACE_PHASE_H

#include "report/evidence/report.h"

enum hd_race_phase {
    HD_RACE_USES,
    HD_RACE_INITIALISES, /* the earlier access is in a function that initialises */
    HD_RACE_DESTROYS,    /* the later access is in a function that destroys, or frees the memory */
};

enum hd_race_phase hd_race_phase(const struct hd_report *r);

/* What the name of a function says: "queue_init", "Queue::~Queue". */
enum hd_race_phase hd_race_phase_of_name(const char *function);

/* "use", "initialisation", "destruction". */
const char *hd_race_phase_word(enum hd_race_phase phase);

#endif
