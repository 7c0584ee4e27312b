/* SPDX-License-Identifier: BSD-2-Clause
 *
 * points.h - plain accesses as visible operations (--points=races, --points=all).
 *
 * V1  The set of points is fixed during an execution; otherwise it could not be replayed.  New racing sites become
 *     points in the next execution or, in a search that may become complete, in the next pass (search.h).
 * V2  A hook runs before its access: the operation is announced, waits for its turn and is
 *     recorded, and then the access happens before any other thread runs.  So one hook is one
 *     operation, of any size.
 * V3  The objects are units of 4 bytes.  Overlapping accesses share a unit, even if one of them is
 *     an atomic (access.c); adjacent ints share none.  Objects of exact address and size would not
 *     conflict with overlapping ones.
 * V4  Every access is compared with all accesses that it may race with (hd_races.all_pairs), not only with those that
 *     would be new to a user.  The detector drops an access only if a later one that conflicts with at least as much
 *     replaces it.  If the later access and the racing one are points, an exhaustive search also runs the racing
 *     access between the dropped one and its replacement, and sees the race there.
 * V5  With --points=all, a thread's accesses to its own stack are not points, unless their site races, because then
 *     another thread has the address.  With --points=every they are points as well: a lazy reduction must see which
 *     accesses a mutex protects.
 * V6  A sampling search uses new sites only from certain executions on, which become ever rarer.
 *     All workers wait for each other before such an execution.  So the points of an execution
 *     follow from its index, for any number of workers.
 * V7  A free conflicts with every operation in the block, even on mutexes: it writes an object that
 *     represents the lifetime of the block, and all other operations read that object.  The objects
 *     of a step must not depend on earlier steps, otherwise sleep sets lose orders. */
#ifndef HD_RUNTIME_WATCH_POINTS_H
#define HD_RUNTIME_WATCH_POINTS_H

#include "runtime/core/object.h"

/* Call the first function when an execution begins, the second when it is over. */
void hd_points_begin(void);
void hd_points_end(void);

/* The number of sites that are points in the next (or current) execution. */
uint32_t hd_points_count(void);

/* True if the next execution may begin.  False while other workers may still find sites that are
 * points in it. */
bool hd_points_ready(void);

/* Call when the detector has seen a race. */
void hd_points_race(const struct hd_race *race);

/* Returns true if this access of the running thread is a point; it has had its turn then. */
bool hd_points_access(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* Call when the running thread frees this block: makes the free conflict with every operation in the block (V7). */
void hd_points_free(uintptr_t addr, size_t size, uint64_t pc);
/* Call after the running thread's operation on the object (or NULL) was recorded. */
void hd_points_used(const struct hd_obj *o, const struct hd_event *e);

/* Call when the running thread reads here repeatedly, no other thread can run, and the access is
 * not a point.  With --points=races it becomes one, so that polling is recognised, and the
 * execution, which would not end, is given up.  Otherwise this does nothing. */
void hd_points_stuck(uint64_t pc);

/* True if accesses at this pc are points although plain accesses are not
 * (hd_settings.no_points). */
bool hd_points_chosen(uint64_t pc);

/* True if the filters select what the running thread does at this pc. */
bool hd_points_selected(uint64_t pc);

/* True if accesses at this pc may be points. */
bool hd_points_at(uint64_t pc);

/* Call after an operation of the running thread on an atomic, which conflicts with plain
 * accesses. */
void hd_points_atomic(const struct hd_event *e, uintptr_t addr);

#endif
