/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seal.h - is the shared memory what it should be?
 *
 * It is mapped in the target, and a program that writes through a wild pointer may hit it.  What the
 * conductor follows or counts by is looked at before anything else is read there; where it is not
 * possible, the program has overwritten it, and nothing in it can be believed. */
#ifndef HD_WIRE_SEAL_H
#define HD_WIRE_SEAL_H

#include "wire/wire.h"

/* What the target never changes, kept where it cannot. */
struct hd_seal {
    struct hd_common common; /* its pointers and numbers of before */
    struct hd_config config[HD_MAX_WORKERS];
};

/* Before the targets run; freed by free(). */
struct hd_seal *hd_seal_make(const struct hd_wires *ws);

/* Is the wire of that worker, and the common part, possible? */
bool hd_seal_holds(const struct hd_seal *s, const struct hd_wires *ws, uint32_t worker);

/* It is not, and no target runs any more: make it a wire on which nothing has happened, which
 * can be read. */
void hd_seal_repair(const struct hd_seal *s, struct hd_wires *ws);

#endif
