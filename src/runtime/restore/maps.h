/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maps.h - which memory is mapped, as the kernel tells it, and which of it constructors have
 * mapped: that is part of the snapshot, as the program's own data is.
 *
 * Constructors may map memory by any way, also by a bare system call.  So the ranges that
 * are there before the first constructor runs are taken down, and compared with those that
 * are there before main: what is new, and not the runtime's, is theirs. */
#ifndef HD_RUNTIME_RESTORE_MAPS_H
#define HD_RUNTIME_RESTORE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_mapping {
    uintptr_t lo, hi;
    bool reads, writes, executes, shared;
    bool named; /* a file, or [stack] and its like */
    bool is_break; /* [heap] */
    bool is_stack; /* [stack]: it grows by itself */
    uint64_t file; /* a hash of the file's number */
};

/* Calls fn for each mapping, in the order of addresses, until it returns false.  False:
 * the kernel does not tell (no /proc). */
bool hd_maps_each(bool (*fn)(const struct hd_mapping *m, void *arg), void *arg);

/* Take down what is mapped now, when it is called for the first time. */
void hd_maps_before_constructors(void);

/* Was it mapped then?  Beside the objects that were loaded, it is ld.so's own memory. */
bool hd_maps_is_early(uintptr_t addr);

/* Before main: add what constructors have mapped to the snapshot, or go over to fork
 * isolation when that is too much. */
void hd_maps_keep_constructed(void);

#endif
