/* SPDX-License-Identifier: BSD-2-Clause
 *
 * selfcheck.h - does a restart in process restart this program?  Found out once, before a search
 * relies on it.
 *
 * C1  The first execution runs in a process in which nothing has run before.  When it has been judged,
 *     and before it is committed, everything is put back and the same decisions are run again.  What
 *     is compared: all operations and decisions; memory, mappings and what the kernel knows of the
 *     process before the first, the second and the third execution of that process.
 * C2  Until that has been done and nothing differed, no process is used for a second execution that
 *     counts.
 * C3  A difference decides for fork isolation and is the reason that the verdict gives.  When two
 *     processes differ as well, nothing is claimed.
 * C4  The repetition leaves nothing behind: no finding, no count, no step of the strategy. */
#ifndef HD_RUNTIME_WORKER_SELFCHECK_H
#define HD_RUNTIME_WORKER_SELFCHECK_H

#include <stdbool.h>

/* Is the execution that begins one to be repeated?  Then its process is looked at first. */
bool hd_selfcheck_begin(void);

/* The execution is over and judged, nothing is put back, and its process could be used again. */
void hd_selfcheck_repeat(void);

/* The execution is over: compare it with that of another process, where that is wanted (C3). */
void hd_selfcheck_processes(void);

/* The worker is gone, by this signal or (0) with an exit code of the target's.  True: it was the
 * repetition that ended it, which is no execution. */
bool hd_selfcheck_died(int signal);

#endif
