/* SPDX-License-Identifier: BSD-2-Clause
 *
 * selfcheck.h - checks once, before a search relies on it, whether restoring the state inside the process lets the
 * program start again exactly as before.
 *
 * C1  The first execution runs in a process in which nothing has run before.  After it was judged,
 *     and before it is committed, the worker restores everything and runs the same decisions again.
 *     It compares all operations and decisions.  It also compares memory, mappings and the kernel's
 *     state of the process before the first, the second and the third execution of that process.
 * C2  Until this check has found no difference, no process runs a second execution that counts.
 * C3  After a difference the search uses fork isolation, and the verdict gives the difference as
 *     the reason.  If two processes differ as well, the verdict claims nothing.
 * C4  The repetition leaves no trace: no finding, no count, no step of the strategy. */
#ifndef HD_RUNTIME_WORKER_SELFCHECK_H
#define HD_RUNTIME_WORKER_SELFCHECK_H

#include <stdbool.h>

/* Returns true if the execution that begins is to be repeated.  Then records the kernel's state of
 * the process first. */
bool hd_selfcheck_begin(void);

/* Repeats the execution and compares.  Call when it is over and judged, nothing was restored yet,
 * and its process could be used again. */
void hd_selfcheck_repeat(void);

/* If the execution is to be compared with the same one in another process (C3), compares it.  Call
 * when it is over. */
void hd_selfcheck_processes(void);

/* Called when the worker has died, of this signal or (0) with an exit code of the target.  Returns
 * true if the repetition ended it, which does not count as an execution. */
bool hd_selfcheck_died(int signal);

#endif
