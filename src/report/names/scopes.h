/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scopes.h - the scopes of debug information around a code address. */
#ifndef HD_REPORT_NAMES_SCOPES_H
#define HD_REPORT_NAMES_SCOPES_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the translation unit that contains a code address and its load bias.  Returns NULL if
 * there is none. */
Dwarf_Die *hd_unit_of(Dwfl_Module *m, uint64_t addr, Dwarf_Addr *bias);

/* Stores the functions at pc (an address of the file), the innermost inlined one first.  Returns their
 * number.  *lambda: the outermost one is a lambda, whose name is better taken from its symbol. */
unsigned hd_function_scopes(Dwfl_Module *m, Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die *out, unsigned max,
                            bool *lambda);

#endif
