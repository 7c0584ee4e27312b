/* SPDX-License-Identifier: BSD-2-Clause
 *
 * processor_clock.h - clocks that a program reads without a call that could be interposed.
 *
 * T1  The kernel forbids the kernel thread that runs the program to read the processor's counter (rdtsc, rdtscp): the
 *     instruction faults, and the handler returns virtual time, one tick per nanosecond.  A program that does not read
 *     the counter pays nothing.
 * T2  The functions of the vdso read that counter and tables of the kernel.  Their first
 *     instructions are replaced by the system call of the same name, which is dispatched like all
 *     others (dispatch.h): virtual time for the program, the kernel's time for calls that libc
 *     makes on behalf of the runtime.
 * T3  Children inherit the ban, also through exec.  When a process leaves Heddle's control, the runtime lifts the
 *     ban for it. */
#ifndef HD_RUNTIME_KERNEL_PROCESSOR_CLOCK_H
#define HD_RUNTIME_KERNEL_PROCESSOR_CLOCK_H

#include <stdbool.h>

/* Makes the functions of the vdso call the kernel (T2).  Call it once, before the first execution. */
void hd_processor_clock_lead_vdso(void);
/* Makes the kernel forbid the calling kernel thread to read the processor's counter (T1). */
void hd_processor_clock_ban(void);
/* Allows the calling kernel thread to read the counter (T3).  Call it in a child process, and before a libc call that
 * creates one. */
void hd_processor_clock_allow(void);
/* Model of prctl(PR_SET_TSC) and prctl(PR_GET_TSC) for the calling thread.  Return 0 or an error
 * number. */
int hd_processor_clock_set(unsigned long mode);
int hd_processor_clock_get(int *mode);
/* For the SIGSEGV handler: returns true if the faulting instruction reads the counter; it has been
 * emulated then. */
bool hd_processor_clock_trap(void *context);

#endif
