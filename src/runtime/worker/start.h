/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.h - the start of a process: the runtime takes control before main. */
#ifndef HD_RUNTIME_WORKER_START_H
#define HD_RUNTIME_WORKER_START_H

/* Runs the program's main (and exit) on the fiber of thread 0. */
void *hd_start_main_fiber(void *unused);

#endif
