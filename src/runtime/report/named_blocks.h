/* SPDX-License-Identifier: BSD-2-Clause
 *
 * named_blocks.h - the heap blocks that a report of this execution has to name. */
#ifndef HD_RUNTIME_REPORT_NAMED_BLOCKS_H
#define HD_RUNTIME_REPORT_NAMED_BLOCKS_H

#include <stdint.h>

#include "wire/wire.h"

/* Finds the blocks that contain objects of the execution's events and pending operations, and the
 * address `also` (0: none), and the words that point into these blocks.  sp: stack pointer of the
 * running thread.  Sets *out to an array of the blocks, which is valid until the next call.
 * Returns their number. */
uint32_t hd_named_blocks(uint64_t also, uint64_t sp, const struct hd_named_block **out);

#endif
