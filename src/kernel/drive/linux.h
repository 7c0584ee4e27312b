/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux.h - what is particular to Linux: the image that it boots with, its symbols, its messages. */
#ifndef HD_KERNEL_DRIVE_LINUX_H
#define HD_KERNEL_DRIVE_LINUX_H

#include "kernel/drive/session.h"

#define HD_LINUX_MEGABYTES 128
#define HD_LINUX_INSTRUCTIONS 20000000
#define HD_LINUX_BATCH 50 /* executions of a run (L4) */

/* The kernel's command line.  One processor with the old interrupt controller, so that a tick of the timer is a
 * tick of the scheduler; addresses that do not vary; the first complaint is the end. */
#define HD_LINUX_WORDS                                                                                      \
    "console=ttyS0 loglevel=5 nokaslr nopti mitigations=off noapic nolapic hpet=disable nohz=off highres=off " \
    "preempt=full oops=panic panic_on_warn=1 panic=0 slub_debug=FZP nowatchdog"

/* Is there what tests are compiled with? */
bool hd_linux_compiles(void);
/* Compiles the test and puts it and the modules into an image.  False: `why` says what is wrong. */
bool hd_linux_build(struct hd_ksession *s, char *why, size_t cap);
void hd_linux_remove(struct hd_ksession *s);

/* The test has sent the kernel's symbols: fills in the link.  For struct hd_machine_plan; data is the session. */
bool hd_linux_learn(struct hd_machine *m);

/* The finding of the last run: its kind and what the kernel or the test has said. */
void hd_linux_kind(const struct hd_ksession *s, char *buf, size_t cap);
void hd_linux_message(const struct hd_ksession *s, char *buf, size_t cap);

/* The number-th line that the test has sent in the last run. */
void hd_linux_line(const struct hd_ksession *s, uint64_t number, char *buf, size_t cap);

/* Only the last execution of the run, if it fails by itself too; else all of them.  The link has the mode
 * `recorded`. */
void hd_linux_shorten(struct hd_ksession *s, uint64_t signature);

#endif
