/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked.h - finds the atomic instructions of an object that have no hook.  In instrumented
 * code they occur only in inline assembly.
 *
 * L1  A function with bytes that are not an instruction contains data, so nothing in it is reported.
 * L2  Accesses to the stack and to thread-local memory order nothing and are skipped.
 * L3  The instruction may be replaced by a five-byte jump if it is at least as long and no
 *     jump leads into it (for example after its prefix). */
#ifndef HD_SCAN_LOCKED_H
#define HD_SCAN_LOCKED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/locked.h"

/* Calls fn for each instruction, in the order of addresses.  If `only` is not NULL, looks only in the function
 * of that name and in the nameless functions after it, which it may call.  Returns false if the object cannot
 * be read. */
bool hd_locked_scan(const char *path, const char *only, void (*fn)(const struct hd_locked_site *, void *), void *arg);

#endif
