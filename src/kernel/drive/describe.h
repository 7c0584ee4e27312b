/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.h - the description of a kernel: a small text that names the functions in which it does
 * what the search has to know.  One line each, "#" begins a comment:
 *
 *   begin F           initialisation is over: the snapshot is taken when F is called
 *   end F             the test is over
 *   panic F [N]       called when the kernel has found a mistake; its Nth argument, from 0, is a text (0)
 *   fault F           the entry of an exception, where the processor jumps to
 *   timer F           the entry of the timer's interrupt
 *   interrupt F       the entry of another one
 *   block F           the current thread gives up the processor until it is unblocked
 *   unblock F         F(thread) makes it ready again
 *   exit F            the current thread ends
 *   yield F           it lets others run
 *   sleep F           it sleeps for some ticks: waiting in F is no deadlock
 *   idle F            runs when no thread can
 *   acquire F, release F     F(lock)
 *   down F, up F             F(semaphore)
 *   allocated F BYTES, freed F BYTES    F(block): it is in use from now on, not any more
 *   quiet F           no interrupt is injected in F, and what it accesses is no race
 *   stack BYTES       threads have aligned blocks of this size, with record and stack (4096)
 *   offset NUMBER     linear minus physical addresses (0)
 *   name OFFSET pointer|text   where the record of a thread has its name
 *   idle-ticks N      so many ticks without anything to run are a deadlock although threads sleep (200)
 *
 * A line ending in "?" is about functions that a kernel need not have. */
#ifndef HD_KERNEL_DRIVE_DESCRIBE_H
#define HD_KERNEL_DRIVE_DESCRIBE_H

#include "kernel/drive/image.h"
#include "kernel/link/link.h"

/* Fills in what the description says.  text: its contents; NULL: the first of those built in whose
 * functions the image has.  Returns its name, or NULL; then `why` says what is wrong. */
const char *hd_describe(struct hd_klink *l, const struct hd_kimage *m, const char *text, const char *name,
                        char *why, size_t cap);

/* --within and --without: false if there is no such function. */
bool hd_describe_filter(struct hd_klink *l, const struct hd_kimage *m, const char *function, bool within);

/* The function with the role; 0: none. */
uint32_t hd_describe_address(const struct hd_klink *l, enum hd_k_role role);

#endif
