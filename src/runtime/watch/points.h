/* SPDX-License-Identifier: BSD-2-Clause
 *
 * points.h - plain accesses as visible operations (--points=races, --points=all).
 *
 * V1  What is a point is fixed for an execution, or it could not be replayed: sites
 *     that are found to race count from the next execution on (and, in a search that
 *     may be complete, from the next pass on: search.h).
 * V2  A hook runs before its access: the operation is announced, waits for its turn,
 *     is recorded, and then the access happens before anybody else moves.  So one
 *     hook is one operation, whatever its size.
 * V3  The objects are units of 4 bytes: accesses that overlap have one in common,
 *     also with an atomic of the same place (access.c), and neighbouring ints have
 *     none.  An access of exact address and size would be an object that does not
 *     conflict with an overlapping one.
 * V4  Every access is compared with all that it may race with (hd_races.all_pairs), not
 *     only with what would be news to a person.  An access of which the detector knows
 *     no longer was followed by one that conflicts with as much.  If that is a point
 *     and the racing access too, an exhaustive search also runs the racing access
 *     between the two, and there the race is seen.
 * V5  With --points=all a thread's accesses to its own stack are left out, unless
 *     their site races: then another thread has got the address.  With --points=every they
 *     are not, since a lazy reduction must see what a mutex keeps from racing.
 * V6  A search that samples uses new sites from certain executions on only, which come
 *     ever more seldom.  Before such a one all workers wait for each other.  So what is a
 *     point in an execution follows from its index, whatever the number of workers.
 * V7  Freeing conflicts with every operation in the block, of mutexes too: it writes an object
 *     that stands for the life of the block, and all others read that one.  What a step
 *     touches must not depend on what was done before it, or sleep sets lose orders. */
#ifndef HD_RUNTIME_WATCH_POINTS_H
#define HD_RUNTIME_WATCH_POINTS_H

#include "runtime/core/rt.h"

/* An execution begins, is over. */
void hd_points_begin(void);
void hd_points_end(void);

/* How many of the sites are points in the next (or running) execution. */
uint32_t hd_points_count(void);

/* May the next execution begin?  Not while others may find sites that are points in it. */
bool hd_points_ready(void);

/* The detector has seen a race. */
void hd_points_race(const struct hd_race *race);

/* Is this access of the running thread a point?  Then it has had its turn. */
bool hd_points_access(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* The running thread frees this block: V7. */
void hd_points_free(uintptr_t addr, size_t size, uint64_t pc);
/* Its operation on the object (or none) is recorded. */
void hd_points_used(const struct hd_obj *o, const struct hd_event *e);

/* The running thread reads here again and again, nobody else can run, and it is no
 * point.  With --points=races it becomes one, by which polling is recognised; the
 * execution, which would not end, is given up.  Else this does nothing. */
void hd_points_stuck(uint64_t pc);

/* May accesses at this pc be points? */
bool hd_points_at(uint64_t pc);

/* The running thread has done this to an atomic: it conflicts with plain accesses. */
void hd_points_atomic(const struct hd_event *e, uintptr_t addr);

#endif
