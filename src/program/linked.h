/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linked.h - what `heddle cc` says of a program or library that it has just linked. */
#ifndef HD_PROGRAM_LINKED_H
#define HD_PROGRAM_LINKED_H

/* Name on the standard error which functions of the linked file Heddle will not see, by the
 * object or archive member that they come from, which the linker's map tells; map may be NULL. */
void hd_linked_warn(const char *file, const char *map);

#endif
