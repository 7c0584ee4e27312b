/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seal.h - checks the integrity of the shared memory.
 *
 * The target maps it too, and a program that writes through a wild pointer may hit it.  So the
 * conductor checks all pointers and counts that it follows before it reads anything else.  If one
 * is impossible, the program has overwritten the memory, and nothing in it can be trusted. */
#ifndef HD_WIRE_SEAL_H
#define HD_WIRE_SEAL_H

#include "wire/wire.h"

/* A copy of the settings, outside the target's reach.  The target never changes the settings.  All
 * other constants follow from the layout of the memory.  (A copy of the whole common part would
 * allocate all of its pages, most of which no search touches.) */
struct hd_seal {
    uint32_t n;
    struct hd_config config[]; /* of each worker */
};

/* Call it before the targets run.  The result is freed by free(). */
struct hd_seal *hd_seal_make(const struct hd_wires *ws);

/* True if the wire of that worker and the common part are plausible. */
bool hd_seal_holds(const struct hd_seal *s, const struct hd_wires *ws, uint32_t worker);

/* Precondition: hd_seal_holds failed, and no target runs any more.  Turns the memory into a
 * readable wire on which nothing has happened. */
void hd_seal_repair(const struct hd_seal *s, struct hd_wires *ws);

#endif
