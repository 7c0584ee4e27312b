/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.h - which member of a variable lies at an offset, and its type. */
#ifndef HD_REPORT_NAMES_MEMBERS_H
#define HD_REPORT_NAMES_MEMBERS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/names/symbols.h"

/* Append ".queue[3].lock" to buf for the byte `inside` bytes into the variable, and write
 * its type to `type`, which may be NULL.  False, with both unchanged, if the debug
 * information does not tell. */
bool hd_member_path(Dwarf_Die *variable, uint64_t inside, char *buf, size_t cap, char *type,
                    size_t type_cap);

/* The variable at that address; false if there is none or the search would take too long. */
bool hd_member_variable(Dwfl_Module *m, uint64_t addr, Dwarf_Die *out);

/* The type of a variable or member in C syntax: "volatile int", "struct node *". */
void hd_type_text(Dwarf_Die *of, char *buf, size_t cap);

/* The unit that contains a code address; NULL: none. */
Dwarf_Die *hd_unit_of(Dwfl_Module *m, uint64_t addr, Dwarf_Addr *bias);

/* The variable or parameter of a function at stack address `addr` in that frame; the
 * function may be an inlined one. */
bool hd_local_find(Dwfl_Module *m, const struct hd_local_frame *f, uint64_t addr, Dwarf_Die *out,
                   Dwarf_Die *function, uint64_t *inside);

#endif
