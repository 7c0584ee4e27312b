/* SPDX-License-Identifier: BSD-2-Clause
 *
 * knowledge.h - what all sessions of a campaign must agree on, as bytes for the store: the numbers of threads and objects,
 * which occur in the steps of rows, and what the search has learnt about the program (waiting loops, watched words, the
 * number of its pass).
 *
 * K1  A session begins with the knowledge of the campaign, and adds to its end.
 * K2  A session that has added something commits only if no other has meanwhile; otherwise its slice is done again.
 *     Machines whose libraries differ would search different programs under one name: they are refused.
 * K3  If the search has to begin again (runtime/core/restart.h), the whole campaign does, with the new knowledge. */
#ifndef HD_CAMPAIGN_SPREAD_KNOWLEDGE_H
#define HD_CAMPAIGN_SPREAD_KNOWLEDGE_H

#include "store/store.h"
#include "wire/wire.h"

/* Returns the path of a library (or of the program) that is another file here than where the knowledge comes from; NULL: there
 * is none.  The targets have run. */
const char *hd_knowledge_other_file(const struct hd_wires *ws, const struct hd_bytes *from);

/* Gives the wires, whose targets have not started, the knowledge; data NULL: there is none yet.  Returns false if the
 * bytes were written by another version of Heddle. */
bool hd_knowledge_load(struct hd_wires *ws, const struct hd_bytes *from);

/* Returns the knowledge of the wires, whose targets have ended; the caller frees its data.  again: for the next pass. */
struct hd_bytes hd_knowledge_of(const struct hd_wires *ws, bool again);

/* True if the search has to begin again. */
bool hd_knowledge_is_void(const struct hd_wires *ws);

#endif
