/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linked.h - warnings of `heddle cc` about a program or library that it has just linked. */
#ifndef HD_PROGRAM_LINKED_H
#define HD_PROGRAM_LINKED_H

/* Prints to standard error which functions of the linked file Heddle will not see.  Groups them by
 * the object or archive member that they come from according to the linker's map. map may be NULL. */
void hd_linked_warn(const char *file, const char *map);

#endif
