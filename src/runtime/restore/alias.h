/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alias.h - memory with several addresses, because a file or a segment was mapped more than once.
 *
 * A mutex at two addresses is one mutex, and accesses through both addresses are accesses to the same memory.
 * Where that matters, hd_canonical translates each address to the oldest mapping of that memory.  That costs
 * nothing while no memory is mapped twice. */
#ifndef HD_RUNTIME_RESTORE_ALIAS_H
#define HD_RUNTIME_RESTORE_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "runtime/core/state.h"

/* Returns the canonical address of the memory at addr.  Call only in HD_MODE_ALIAS. */
uintptr_t hd_alias_of(uintptr_t addr);

static inline uintptr_t hd_canonical(uintptr_t addr)
{
    return HD_UNLIKELY(hd.access_mode & HD_MODE_ALIAS) ? hd_alias_of(addr) : addr;
}

/* Forgets the mappings of the last execution.  Call when an execution begins. */
void hd_alias_begin(void);

/* Call when the running thread has made a shared mapping of that part of a file, or of a
 * segment. */
void hd_alias_mapped_file(uintptr_t addr, size_t n, int fd, uint64_t offset);
void hd_alias_mapped_segment(uintptr_t addr, int id);

/* True if a part of the range belongs to a shared mapping of a file or segment. */
bool hd_alias_has(uintptr_t addr, size_t n);
/* True if the range may be unmapped.  False while addresses of other mappings translate into it: it
 * then stays mapped until the execution ends. */
bool hd_alias_may_unmap(uintptr_t addr, size_t n);
bool hd_alias_may_detach(uintptr_t addr);

#endif
