/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zygote.h - the zygote.
 *
 * The zygote is the process as it was before main; it never runs the target.  It forks a worker,
 * which runs executions until the campaign is over, the process is tainted, or (fork isolation) it
 * has run one.  When a worker dies, the zygote forks the next one, which continues from the
 * campaign's totals.  That worker runs an interrupted execution again; an execution that killed its
 * process is reported.  When the zygote itself is killed, the conductor starts another one with the
 * same wire, which continues in the same way. */
#ifndef HD_RUNTIME_WORKER_ZYGOTE_H
#define HD_RUNTIME_WORKER_ZYGOTE_H

/* Runs the whole campaign on the scheduler's own stack. */
_Noreturn void hd_zygote_run(void);

/* Frees the locks on shared data that a dead worker may have held. */
void hd_zygote_recover_share(void);

#endif
