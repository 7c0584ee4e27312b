/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alias.h - memory that has two addresses, because a file or a segment was mapped twice.
 * The same mutex at both is one mutex, and accesses through both are accesses to the same
 * memory: where that matters, each address stands for the one in the mapping that was there
 * first.
 *
 * As long as nothing is mapped twice this costs nothing: see hd_canonical. */
#ifndef HD_RUNTIME_RESTORE_ALIAS_H
#define HD_RUNTIME_RESTORE_ALIAS_H

#include "runtime/core/rt.h"

/* An execution begins: what it maps is known to it alone. */
void hd_alias_begin(void);

/* The running thread has mapped that part of an open file, or a segment, to be shared. */
void hd_alias_mapped_file(uintptr_t addr, size_t n, int fd, uint64_t offset);
void hd_alias_mapped_segment(uintptr_t addr, int id);

/* May this be unmapped?  Not while other addresses stand for these ones: then it stays
 * until the execution is over. */
bool hd_alias_may_unmap(uintptr_t addr, size_t n);
bool hd_alias_may_detach(uintptr_t addr);

#endif
