/* SPDX-License-Identifier: BSD-2-Clause
 *
 * allocation.h - finds the type and the variable of an allocation, from its source line and the debug information
 * there. */
#ifndef HD_REPORT_NAMES_ALLOCATION_H
#define HD_REPORT_NAMES_ALLOCATION_H

#include "report/names/members.h"

struct hd_allocated {
    char text[128]; /* the expression that the line assigns to: "l", "map->buckets"; "" if unknown */
    Dwarf_Die type; /* type of the object or, for an array, of an element */
    bool cplusplus; /* the language of the line */
};

/* Finds what the call before pcs[0] allocates.  pcs: that call and its callers, innermost first.  If a caller is a
 * function of a library, or only passes memory on (void *), its caller decides.  Returns false if the type is
 * unknown. */
bool hd_allocation_find(struct hd_symbols *s, const uint64_t *pcs, unsigned n, struct hd_allocated *out);

#endif
