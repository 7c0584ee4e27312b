/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checks.h - requests of the program through <heddle/heddle.h>: invariants, checks at the end,
 * assumptions, atomic sections. */
#ifndef HD_RUNTIME_WATCH_CHECKS_H
#define HD_RUNTIME_WATCH_CHECKS_H

#include "base/check.h"
#include "runtime/core/state.h"

/* ---- heddle_always (invariants.c) --------------------------------------------------- */

/* Thread for which the runtime evaluates an invariant, outside of the execution; hd.cur is NULL then.
 * NULL: none. */
extern struct hd_thread *hd_evaluating __attribute__((visibility("hidden")));

void hd_invariants_begin(void);
void hd_invariants_add(int (*holds)(void *), void *arg, const char *text, const char *file,
                   unsigned line, uint64_t pc);
/* Returns n bytes that last as long as the execution. */
void *hd_invariants_keep(size_t n, uint64_t pc);

/* Called by an invariant while it is evaluated: its condition `text` does not hold. */
void hd_invariants_broken(const char *text);
/* Checks the invariants before the running thread announces an operation.  Precondition:
 * hd.invariants.  Does not return if one is broken. */
void hd_invariants_look(void);
/* Call when an invariant reads this memory. */
void hd_invariants_read(uintptr_t addr, size_t size);

/* ---- the end ------------------------------------------------------------------------ */

void hd_at_end_add(void (*fn)(void *), void *arg, uint64_t pc);
/* Runs the checks.  Precondition: no thread but the running one can move any more. */
void hd_checks_at_end(void);

/* ---- assumptions and sections ------------------------------------------------------- */

void hd_assume(bool holds, const char *file, unsigned line, uint64_t pc);
void hd_section_enter(uint64_t pc);
void hd_section_exit(uint64_t pc);
/* Ends the thread's section; value: value of its event. */
void hd_section_leave(struct hd_thread *t, uint64_t value);

/* A failure in code that the runtime has called outside of the execution is attributed to the
 * thread that ran before it. */
static inline void hd_checks_blame_previous(void)
{
    if (HD_UNLIKELY(hd_evaluating != NULL)) {
        hd.cur = hd_evaluating;
        hd_evaluating = NULL;
    }
}

#endif
