/* SPDX-License-Identifier: BSD-2-Clause
 *
 * expression.h - the type of "map->buckets" at a place of the program. */
#ifndef HD_REPORT_NAMES_EXPRESSION_H
#define HD_REPORT_NAMES_EXPRESSION_H

#include "report/names/members.h"

/* Finds the type that the expression points to.  The expression consists of names, "." "->" and
 * "[...]".  function: the function that contains it; cu: its translation unit.  *member_of: the
 * class if the first name is a member of *this, otherwise it becomes "".  Returns false if the type
 * is unknown. */
bool hd_expression_pointee(Dwarf_Die *cu, Dwarf_Die *function, const char *expression, Dwarf_Die *pointee,
                           char *member_of, size_t cap);

/* Finds a type by its name, without "struct" and namespaces.  Returns false if there is none. */
bool hd_type_named(Dwarf_Die *cu, const char *name, Dwarf_Die *type);

#endif
