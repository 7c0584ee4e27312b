/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seal.h - checks that the shared memory has not been overwritten.
 *
 * The target maps the shared memory too, and a program that writes through a wild pointer may hit it.  So the
 * conductor checks all pointers and counts that it follows before it reads anything else.  If one of them has
 * an impossible value, the program has overwritten the memory, and nothing in it can be trusted. */
#ifndef HD_WIRE_SEAL_H
#define HD_WIRE_SEAL_H

#include "wire/wire.h"

/* A copy of the settings, out of the target's reach.  The target never changes the settings, and all other
 * constants follow from the layout of the memory. (A copy of the whole common part would allocate all of its
 * pages, most of which no search touches.) */
struct hd_seal {
    uint32_t n;
    struct hd_config config[]; /* configuration of each worker */
};

/* Call before the targets run.  The caller frees the result with free(). */
struct hd_seal *hd_seal_make(const struct hd_wires *ws);

/* True if the wire of that worker and the common part contain plausible values. */
bool hd_seal_holds(const struct hd_seal *s, const struct hd_wires *ws, uint32_t worker);

/* Precondition: hd_seal_holds returned false, and no target runs any more.  Turns the memory into a readable
 * wire on which nothing has happened. */
void hd_seal_repair(const struct hd_seal *s, struct hd_wires *ws);

#endif
