/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked.h - where the atomic instructions of an object are that no hook stands for:
 * instrumented code has none but in inline assembly.
 *
 * L1  A function in which something is not an instruction holds data: nothing of it is told.
 * L2  Memory of the stack and of the thread alone orders nobody, and is left out.
 * L3  The instruction may be replaced by a jump, which has five bytes, when it is as long and
 *     no jump leads into it (behind its prefix, perhaps). */
#ifndef HD_SCAN_LOCKED_H
#define HD_SCAN_LOCKED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/locked.h"

/* Tells of each, by address.  False: the object cannot be read. */
bool hd_locked_scan(const char *path, void (*fn)(const struct hd_locked_site *, void *), void *arg);

#endif
