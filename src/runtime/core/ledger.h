/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger.h - records what limits the claims of the verdict: facts, untried behaviour, entries of the ledger
 * (model/ledger.h), and the reasons for fork isolation. */
#ifndef HD_RUNTIME_CORE_LEDGER_H
#define HD_RUNTIME_CORE_LEDGER_H

#include "base/check.h"
#include "model/fact.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

/* Notes that the execution did something that a reduction does not model. */
static inline void hd_fact(enum hd_fact f)
{
    hd.exec->facts |= f;
}
/* Notes that the program uses a feature for which C11 allows behaviour that Heddle does not try.
 * (This is a hot path, so the word is written only once.) */
static inline void hd_untried(enum hd_untried what)
{
    if (HD_UNLIKELY(hd.wire != NULL && !(hd.wire->untried & what)))
        hd.wire->untried |= what;
}
/* Adds an entry to the ledger (model/ledger.h): Heddle does not control or see something, so the verdict claims
 * nothing.  A report shows each entry once. */
void hd_uncontrolled(const char *what);
/* Adds an entry to the ledger: the model covers all interleavings of something, but no other
 * behaviour of it. */
void hd_qualified(const char *what);
/* Adds an entry to the ledger: information on which no claim depends. */
void hd_mentioned(const char *what);
/* Switches to fork isolation after this execution, because a restart in process cannot undo
 * something.  With --isolation=inproc: hd_uncontrolled(why) instead. */
void hd_needs_fork(const char *why);
/* Like hd_needs_fork, for something that a restart in process can undo, too.  With
 * --isolation=inproc: hd_mentioned(why) instead. */
void hd_prefers_fork(const char *why);

#endif
