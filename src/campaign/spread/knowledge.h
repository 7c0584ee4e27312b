/* SPDX-License-Identifier: BSD-2-Clause
 *
 * knowledge.h - the knowledge that all sessions of a campaign must share, as bytes for the store: the numbers of
 * threads and objects, which occur in the steps of rows, and what the search has learnt about the program (waiting
 * loops, watched words, the number of its pass).
 *
 * K1  A session begins with the knowledge of the campaign and only appends to it.
 * K2  A session that has appended something commits only if no other session has done so meanwhile; otherwise its slice
 *     is repeated.  A machine with other libraries would search another program under the same name: it is refused.
 * K3  If the search has to start again (runtime/core/restart.h), the whole campaign starts again, with the new
 *     knowledge. */
#ifndef HD_CAMPAIGN_SPREAD_KNOWLEDGE_H
#define HD_CAMPAIGN_SPREAD_KNOWLEDGE_H

#include "store/store.h"
#include "wire/wire.h"

/* Returns the path of the program or of a library whose file here differs from the one that the knowledge was
 * gathered with, or NULL if there is none.  Call after the targets have run. */
const char *hd_knowledge_other_file(const struct hd_wires *ws, const struct hd_bytes *from);

/* Stores the knowledge in the wires before their targets start.  If data is NULL there is none yet.  Returns false
 * if another version of Heddle has written the bytes. */
bool hd_knowledge_load(struct hd_wires *ws, const struct hd_bytes *from);

/* Returns the knowledge in the wires, whose targets have ended.  The caller frees its data. again: prepare it for
 * the next pass. */
struct hd_bytes hd_knowledge_of(const struct hd_wires *ws, bool again);

/* True if the search has to start again. */
bool hd_knowledge_is_void(const struct hd_wires *ws);

#endif
