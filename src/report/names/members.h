/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.h - finds the member of a variable at an offset, and its type. */
#ifndef HD_REPORT_NAMES_MEMBERS_H
#define HD_REPORT_NAMES_MEMBERS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/names/symbols.h"

/* Appends ".queue[3].lock" to buf for the byte at offset `inside` of the variable, and writes its
 * type to `type`, which may be NULL.  Returns false and leaves both unchanged if the debug
 * information lacks the member. */
bool hd_member_path(Dwarf_Die *variable, uint64_t inside, char *buf, size_t cap, char *type,
                    size_t type_cap);

/* Finds the variable at that address.  Returns false if there is none in the first MAX_UNITS
 * translation units (members.c). */
bool hd_member_variable(Dwfl_Module *m, uint64_t addr, Dwarf_Die *out);

/* Writes the type of a variable or member in C syntax: "volatile int", "struct node *". */
void hd_type_text(Dwarf_Die *of, char *buf, size_t cap);

/* Returns the translation unit that contains a code address and its load bias.  Returns NULL if
 * there is none. */
Dwarf_Die *hd_unit_of(Dwfl_Module *m, uint64_t addr, Dwarf_Addr *bias);

/* Finds the variable or parameter at stack address `addr` in the frame, its function (which may be
 * inlined), and the offset of `addr` inside the variable.  Returns false if there is none. */
bool hd_local_find(Dwfl_Module *m, const struct hd_local_frame *f, uint64_t addr, Dwarf_Die *out,
                   Dwarf_Die *function, uint64_t *inside);

#endif
