/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.h - finds atomic instructions in code that is not instrumented.  Every process
 * that runs the program needs them, so that a replay has the same scheduling points as the search. */
#ifndef HD_CAMPAIGN_SESSION_LIBRARY_ATOMICS_H
#define HD_CAMPAIGN_SESSION_LIBRARY_ATOMICS_H

#include "model/ledger.h"
#include "model/locked.h"
#include "program/elf_info.h"

/* Stores the addresses of these instructions in *to, for the runtime (model/locked.h).  Call before the target
 * starts. */
void hd_locked_tell(struct hd_elf_info *program, struct hd_locked_table *to, struct hd_ledger *ledger);

#endif
