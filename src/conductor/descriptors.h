/* SPDX-License-Identifier: BSD-2-Clause
 *
 * descriptors.h - which open files the target inherits: those that the user gave to the
 * tool, and no others.  Libraries that read debug information open files without
 * O_CLOEXEC; were they handed down, the numbers of the program's own descriptors, and all that it
 * makes of them, would depend on what the tool had done before it started the program. */
#ifndef HD_CONDUCTOR_DESCRIPTORS_H
#define HD_CONDUCTOR_DESCRIPTORS_H

/* First of all: what is open now is the user's. */
void hd_descriptors_note(void);

/* In the child, before exec: all that was opened since then goes, except `keep`. */
void hd_descriptors_leave(int keep);

#endif
