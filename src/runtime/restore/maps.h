/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maps.h - the memory mappings as the kernel lists them, and the mappings made by constructors,
 * which belong to the snapshot like the program's data.
 *
 * A constructor may map memory in any way, even by a raw system call.  The runtime therefore
 * records the mappings before the first constructor and compares them with those before main.  New
 * mappings that are not the runtime's belong to constructors. */
#ifndef HD_RUNTIME_RESTORE_MAPS_H
#define HD_RUNTIME_RESTORE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_mapping {
    uintptr_t lo, hi;
    bool reads, writes, executes, shared;
    bool named; /* a file, or a pseudo-name such as [stack] */
    bool is_break; /* [heap] */
    bool is_stack; /* [stack], which the kernel extends */
    uint64_t file; /* a hash of device and inode */
};

/* Calls fn for each mapping in address order until fn returns false.  Returns false if there is no
 * /proc. */
bool hd_maps_each(bool (*fn)(const struct hd_mapping *m, void *arg), void *arg);

/* Records the current mappings.  Only the first call has an effect. */
void hd_maps_before_constructors(void);

/* True if addr was mapped when hd_maps_before_constructors was called.  Outside of loaded objects,
 * this is memory of ld.so. */
bool hd_maps_is_early(uintptr_t addr);

/* Before main: adds the constructors' mappings to the snapshot, or switches to fork isolation if
 * they are too large. */
void hd_maps_keep_constructed(void);

#endif
