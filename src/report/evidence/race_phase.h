/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_phase.h - guesses whether a race is about the initialisation or the destruction of the memory.
 *
 * The accesses of such a race may always come in the same order for a reason that Heddle does not see: the program
 * initialises an object before other threads can reach it, and destroys it after its last use.  Names of functions
 * are only a hint, so only the list of races shows the result. */
#ifndef HD_REPORT_EVIDENCE_RACE_PHASE_H
#define HD_REPORT_EVIDENCE_RACE_PHASE_H

#include "report/evidence/report.h"

enum hd_race_phase {
    HD_RACE_USES,
    HD_RACE_INITIALISES, /* the earlier access is in a function that initialises */
    HD_RACE_DESTROYS,    /* the later access is in a function that destroys, or frees the memory */
};

enum hd_race_phase hd_race_phase(const struct hd_report *r);

/* Classifies a function by its name: "queue_init", "Queue::~Queue". */
enum hd_race_phase hd_race_phase_of_name(const char *function);

/* "use", "initialisation", "destruction". */
const char *hd_race_phase_word(enum hd_race_phase phase);

#endif
