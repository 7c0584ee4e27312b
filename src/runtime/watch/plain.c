/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain.c - the slow path of plain accesses of instrumented code: reads by polls and by invariants,
 * writes that held threads wait for, accesses that are scheduling points, and loops without visible
 * operations.  The hot path is in plain.h. */
#include "runtime/watch/plain.h"

#include "base/check.h"
#include "detect/race.h"
#include "runtime/core/entry.h"
#include "runtime/core/fiber.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/progress/limit.h"
#include "runtime/progress/poll.h"
#include "runtime/restore/alias.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/plain_log.h"
#include "runtime/watch/points.h"
#include "runtime/watch/predict.h"
#include "runtime/watch/race.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/witness.h"

enum { HOOK_FRAME = 16 }; /* upper bound of the stack words that the hook of a plain access uses */

/* A loop without visible operations has run for long: lets other threads run.  If none can, the loop waits for a
 * write that does not happen in this execution. */
static HD_COLD void spin(uint64_t pc)
{
    uint64_t before = hd_poll_releases();

    hd.fuel = HD_FUEL;
    hd_limit_yielded();
    hd_op_local(HD_EV_YIELD, pc);
    hd_done(0, 0);
    hd.fuel = HD_FUEL >> 4; /* once it spins, check more often */
    if (hd_poll_releases() != before)
        hd_points_stuck(pc);
}

/* Handles an access of a controlled thread.  The thread may wait before it. */
static void controlled(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX)) {
        hd_tx_access(addr, size, write, pc);
        return;
    }
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX_LOG))
        hd_tx_weak_access(addr, size, write, pc);
    if (hd.fuel >= 0 && (write || !(hd.access_mode & HD_MODE_POINTS)))
        hd_entry.rsp = 0; /* this access is not a poll */
    else
        hd_entry.frame = HOOK_FRAME;
    if ((hd.access_mode & HD_MODE_POINTS) && hd_points_access(addr, size, write, pc))
        return;
    if (hd.fuel >= 0)
        hd_entry.rsp = 0; /* a yield here is not an operation of the target */
    if (write && (hd.access_mode & HD_MODE_WATCH))
        hd_poll_written(addr, size);
    if (!write && (hd.access_mode & HD_MODE_TRACK))
        hd_poll_read(addr, size);
    if (hd.fuel < 0)
        spin(pc);
}

HD_LEAVES_NOTHING void hd_impl_hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc);

HD_LEAVES_NOTHING void hd_impl_hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.cur == NULL) {
        hd.fuel = HD_FUEL;
        if (hd.access_mode & HD_MODE_INVARIANT)
            hd_invariants_read(addr, size);
        return;
    }
    addr = hd_canonical(addr);
    if (HD_LIKELY(hd.witness == 0)) {
        controlled(addr, size, write, pc);
        return;
    }
    hd_witness_access(addr, size, write, pc);
    controlled(addr, size, write, pc);
    hd_plain_log(addr, size, write, pc);
}

HD_POLL_ENTRY(hd_plain_slow);
__asm__(".hidden hd_plain_slow");

static __attribute__((noinline)) void slow_races(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    bool looks = hd.races && hd.cur != NULL;
    /* With --points, report the race before the use-after-free that it causes. */
    bool before = looks && (hd.access_mode & HD_MODE_POINTS) != 0;
    uintptr_t place = hd_canonical(addr);

    hd_plain_slow(addr, size, write, pc);
    if (before)
        hd_race_plain(place, size, write, pc);
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
    if (!looks)
        return;
    if (!before)
        hd_race_plain(place, size, write, pc);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_PREDICT))
        hd_predict_plain(place, size, write, pc);
}

/* Not inlined: a hook that calls more than once needs a frame. */
HD_LEAVES_NOTHING __attribute__((noinline)) void hd_plain_slow_races(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    slow_races(addr, size, write, pc);
    if (hd.access_mode & HD_MODE_TIDY)
        hd_tidy_stack(HD_FRAMES_OF_ACCESS);
}

void hd_plain_high(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
    if (hd.races && (hd.writes == 0 || !hd_lines_unchanged(HD_LINES_AT, addr, size, write, hd.writes)))
        hd_plain_races(addr, size, write, pc);
}

void hd_plain_any(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
    hd_plain_races(addr, size, write, pc);
}

/* Handles the first access since the thread's last synchronisation.  On a close line (detect/lines.h) the detector
 * has not seen it either. */
static __attribute__((noinline)) void first_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_tid tid = hd.cur->tid;

    if (hd_clocks_new_segment(&hd_races.clocks, tid) == 0 || hd_races.clocks.now[tid] == 0)
        hd_race_plain(addr, size, write, pc);
    else if (hd_line_of(HD_LINES_AT, addr)->last == HD_LINE_CLOSE && hd_line_has(addr, size))
        hd_races_access_slow(&hd_races, tid, addr, size, write, pc);
    else
        hd_plain_races(addr, size, write, pc);
}

static __attribute__((noinline)) void exact_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_races_access(&hd_races, hd.cur->tid, addr, size, write, pc);
}

/* Calls other functions only by tail calls, so that it needs no stack frame. */
void hd_plain_races(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.cur == NULL)
        return;
    hd_tid tid = hd.cur->tid;
    hd_segment now = hd_races.clocks.now[tid];

    if (now == 0) {
        first_access(addr, size, write, pc);
        return;
    }
    struct hd_line *line = hd_line_of(HD_LINES_AT, addr);
    bool close = line->last == HD_LINE_CLOSE;
    hd_line_use by = hd_line_used(now, tid, 0);

    if (!hd_line_has(addr, size) || (!close && !hd_line_passes(line, &hd_races.clocks, by, write)))
        hd_race_plain(addr, size, write, pc);
    else if (close || !HD_LINES_AT->trusted)
        exact_access(addr, size, write, pc);
    else
        hd.writes = by | HD_LINE_WRITTEN;
}
