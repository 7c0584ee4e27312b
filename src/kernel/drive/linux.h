/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux.h - support for Linux: the image that it boots with, its symbols, its messages. */
#ifndef HD_KERNEL_DRIVE_LINUX_H
#define HD_KERNEL_DRIVE_LINUX_H

#include "kernel/drive/session.h"

#define HD_LINUX_MEGABYTES 128
#define HD_LINUX_INSTRUCTIONS 20000000
#define HD_LINUX_BATCH 50 /* number of executions in a run (L4) */

/* The kernel's command line: one processor and the old interrupt controller, so that each tick of the timer is a
 * tick of the scheduler; fixed addresses; and the kernel stops at its first error. */
#define HD_LINUX_WORDS                                                                                      \
    "console=ttyS0 loglevel=5 nokaslr nopti mitigations=off noapic nolapic hpet=disable nohz=off highres=off " \
    "preempt=full oops=panic panic_on_warn=1 panic=0 slub_debug=FZP nowatchdog"

/* True if the compiler and libraries for compiling tests are installed. */
bool hd_linux_compiles(void);
/* Compiles the test and makes an image with the test and the modules.  Returns false after setting `why`. */
bool hd_linux_build(struct hd_ksession *s, char *why, size_t cap);
void hd_linux_remove(struct hd_ksession *s);

/* Call when the test has sent the kernel's symbols: fills in the link.  A `learn` function of struct
 * hd_machine_plan; its data is the session. */
bool hd_linux_learn(struct hd_machine *m);

/* If the last run has ended with HD_KE_PANIC: writes what kind of complaint the kernel has printed. */
void hd_linux_complaint(const struct hd_ksession *s, char *buf, size_t cap);
/* Writes the text that the kernel or the test has printed. */
void hd_linux_message(const struct hd_ksession *s, char *buf, size_t cap);

/* Writes line `number` that the test has sent in the last run. */
void hd_linux_line(const struct hd_ksession *s, uint64_t number, char *buf, size_t cap);

/* Reduces the schedule of a run to its last execution if that fails alone; otherwise keeps all.  The link has the
 * mode `recorded`. */
void hd_linux_shorten(struct hd_ksession *s, uint64_t signature);

#endif
