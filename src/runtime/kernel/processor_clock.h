/* SPDX-License-Identifier: BSD-2-Clause
 *
 * processor_clock.h - clocks that are read without a call that could be interposed.
 *
 * T1  The processor's counter (rdtsc, rdtscp) is forbidden to the kernel thread that runs the
 *     program: the instruction faults, and the handler answers from virtual time, a tick each
 *     nanosecond.  It costs nothing where nobody reads it.
 * T2  The vdso's functions read that counter, and tables that the kernel keeps.  Their first
 *     instructions are replaced by the system call of the same name, which goes the way of all
 *     others (dispatch.h): virtual time for the program, the kernel's own for libc on our behalf.
 * T3  The kernel hands the ban on to children, and through exec: a process that is no longer
 *     controlled is freed of it. */
#ifndef HD_RUNTIME_KERNEL_PROCESSOR_CLOCK_H
#define HD_RUNTIME_KERNEL_PROCESSOR_CLOCK_H

#include <stdbool.h>

/* T2.  Once, before the first execution. */
void hd_processor_clock_lead_vdso(void);
/* T1, for the calling kernel thread. */
void hd_processor_clock_ban(void);
/* T3: in a child, and around a call of libc's that makes one. */
void hd_processor_clock_allow(void);
/* What the calling thread may do by the program's own word: prctl of PR_SET_TSC and PR_GET_TSC.
 * 0 or an error number. */
int hd_processor_clock_set(unsigned long mode);
int hd_processor_clock_get(int *mode);
/* Of SIGSEGV: true when it was such an instruction, which is then done. */
bool hd_processor_clock_trap(void *context);

#endif
