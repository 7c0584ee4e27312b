/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program_sync.h - the sync objects of in-memory programs other than mutexes.  It shares no code with
 * src/model/automaton.c, because it serves to check that file. */
#ifndef HD_TESTS_SUPPORT_PROGRAM_SYNC_H
#define HD_TESTS_SUPPORT_PROGRAM_SYNC_H

#include "support/program.h"

void prog_sync_start(struct prog_sync *s, const struct program *p);
/* Returns the first object of the operation, or 0 if this file does not define the operation. */
uint32_t prog_sync_object(const struct prog_op *op);
bool prog_sync_enabled(const struct prog_state *s, unsigned tid, const struct prog_op *op);
/* Complete the event of an operation of several objects or steps. */
void prog_sync_announce(const struct prog_state *s, unsigned tid, const struct prog_op *op,
                        struct hd_event *e);
/* Executes the current step.  Advances pc if it was the last step of the operation. */
void prog_sync_execute(struct prog_state *s, unsigned tid, const struct prog_op *op);

#endif
