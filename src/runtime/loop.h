/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.h - loops that were not followed to their end: the verdict names them. */
#ifndef HD_RUNTIME_LOOP_H
#define HD_RUNTIME_LOOP_H

#include "runtime/rt.h"

/* A thread that goes round the loop at pc was stopped, for a while or for good. */
void hd_loop_cut(uint64_t pc);

#endif
