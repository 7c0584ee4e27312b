/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.h - the description of a kernel: a short text that names the functions whose calls the search must observe.
 * One line for each; "#" begins a comment:
 *
 *   begin F           initialisation is over: the snapshot is taken when F is called
 *   end F             the test is over when F is called
 *   panic F [N]       reports an error that the kernel has found; argument N, from 0, is a text (0)
 *   fault F           the entry of an exception handler
 *   timer F           the entry of the timer's interrupt handler
 *   interrupt F       the entry of another interrupt handler
 *   block F           the current thread gives up the processor until it is unblocked
 *   unblock F         F(thread) makes the thread ready again
 *   exit F            the current thread ends
 *   yield F           the current thread lets others run
 *   sleep F           the current thread sleeps for some ticks: waiting in F is no deadlock
 *   idle F            runs when no thread can
 *   acquire F, release F     F(lock)
 *   down F, up F             F(semaphore)
 *   allocated F BYTES, freed F BYTES    F(block): the block is allocated, is freed
 *   without F         no interrupt is injected in what F calls
 *   quiet F           no interrupt is injected in F, and its accesses do not race
 *   stack BYTES       threads have aligned blocks of this size, with record and stack (4096)
 *   offset NUMBER     linear minus physical addresses (0)
 *   name OFFSET pointer|text   (or STRUCTURE.MEMBER) where the record of a thread has its name
 *   idle-ticks N      N ticks without a ready thread are a deadlock, even if threads sleep (200)
 *
 * The functions of a line ending in "?" need not exist in the kernel. */
#ifndef HD_KERNEL_DRIVE_DESCRIBE_H
#define HD_KERNEL_DRIVE_DESCRIBE_H

#include "kernel/drive/image.h"
#include "kernel/link/link.h"

/* Fills in the facts of the description. text: the description; NULL: use the first built-in one whose functions
 * exist in the image.  Returns its name, or NULL after setting `why` to the error. */
const char *hd_describe(struct hd_klink *l, const struct hd_kimage *m, const char *text, const char *name,
                        char *why, size_t cap);

/* Applies --within or --without.  Returns false if there is no such function. */
bool hd_describe_filter(struct hd_klink *l, const struct hd_kimage *m, const char *function, bool within);

/* Returns the address of the function with the role, or 0 if there is none. */
uint32_t hd_describe_address(const struct hd_klink *l, enum hd_k_role role);

#endif
