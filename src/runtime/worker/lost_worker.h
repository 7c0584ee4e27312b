/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_worker.h - for the zygote: what the end of a worker says about its execution. */
#ifndef HD_RUNTIME_WORKER_LOST_WORKER_H
#define HD_RUNTIME_WORKER_LOST_WORKER_H

/* Call when the worker was killed by a signal. */
void hd_lost_by_signal(int signal);
/* Call when the worker ended, but not through the runtime: the target has called exec, or has ended
 * by a system call that no interposer sees. */
void hd_lost_by_exit(int code);

#endif
