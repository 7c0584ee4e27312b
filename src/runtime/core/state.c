/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.c - see state.h. */
#include "runtime/core/state.h"

#include "runtime/core/entry.h"

struct hd_rt hd;
struct hd_entry_regs hd_entry;
