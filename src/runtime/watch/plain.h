/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain.h - plain accesses of instrumented code: the hot path.  The slow path is in plain.c. */
#ifndef HD_RUNTIME_WATCH_PLAIN_H
#define HD_RUNTIME_WATCH_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "detect/lines.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/state.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/race.h"

/* The slow path of a plain access.  Its stub saves the registers (HD_POLL_ENTRY), because the
 * access may be a polling operation. */
void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* Counts a plain access.  Returns true if it needs hd_plain_slow. */
static inline bool hd_plain_count(uintptr_t addr, bool write)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    return --hd.fuel < 0 || hd.access_mode != 0;
}

/* A plain access that unseen synchronisation may order: it is not checked for races. */
static inline void hd_plain_ordered(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (HD_UNLIKELY(hd_plain_count(addr, write)))
        hd_plain_slow(addr, size, write, pc);
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
}

/* The slower paths of hd_plain.  high: addresses from the stacks up.  slow_races: accesses that need
 * hd_plain_slow.  races: memory that other threads may also use.  any: accesses about which nothing is known. */
void hd_plain_high(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_slow_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_any(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* A plain access of instrumented code.  Everything that is not inline is a tail call, and the inline part keeps
 * all its values in registers: without a stack frame the hook is a third faster. */
static inline __attribute__((always_inline)) void hd_plain(uintptr_t addr, size_t size,
                                                            bool write, uint64_t pc)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    if (HD_UNLIKELY(--hd.fuel < 0)) {
        hd_plain_slow_races(addr, size, write, pc);
    } else if (hd.writes == 0) { /* no race detection, or hd.access_mode is not 0, or the use of the line is
                                  * not known */
        if (HD_UNLIKELY(hd.access_mode != 0))
            hd_plain_slow_races(addr, size, write, pc);
        else if (!hd_memcheck_nearest(addr, size))
            hd_plain_high(addr, size, write, pc);
        else if (hd.races)
            hd_plain_races(addr, size, write, pc);
    } else if (HD_UNLIKELY(!hd_lines_unchanged(HD_LINES_AT, addr, size, write, hd.writes))) {
        hd_plain_any(addr, size, write, pc);
    } else if (!hd_memcheck_nearest(addr, size)) {
        hd_plain_high(addr, size, write, pc);
    }
}

#endif
