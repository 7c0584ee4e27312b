/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range.h - accesses to a range of bytes by functions of libc, on behalf of the target. */
#ifndef HD_RUNTIME_HOOKS_RANGE_H
#define HD_RUNTIME_HOOKS_RANGE_H

#include "base/check.h"
#include "runtime/core/state.h"
#include "runtime/restore/alias.h"
#include "runtime/sys/image.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/plain.h"
#include "runtime/watch/predict.h"
#include "runtime/watch/race.h"
#include "runtime/watch/witness.h"

/* True if a controlled thread is running and the call comes from the target or its libraries, not
 * from the runtime on the target's behalf. */
static inline bool hd_watched(uint64_t pc)
{
    return HD_UNLIKELY(hd.cur != NULL || hd_evaluating != NULL) && !hd_image_has(pc);
}

/* The accesses of a call are collected between hd_notes_begin and hd_notes_end, and made afterwards. */
static inline void hd_notes_begin(void)
{
    if (HD_UNLIKELY(hd.witness != 0) && hd.cur != NULL)
        hd_witness_call_begins();
}

static inline void hd_notes_end(void)
{
    if (HD_UNLIKELY(hd.witness != 0))
        hd_witness_call_noted();
}

/* Checks the access for races.  Calls from uninstrumented code are accesses as well, but that code may order them
 * by atomics that no hook sees.  So no race is reported for them. */
static inline void hd_range_races(const void *p, size_t n, bool write, uint64_t pc)
{
    if (!hd.races)
        return;
    uintptr_t addr = hd_canonical((uintptr_t)p);

    if (!hd_race_sees(pc, addr))
        return;
    hd_race_plain(addr, n, write, pc);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_PREDICT))
        hd_predict_plain(addr, n, write, pc);
}

/* Announces the access, which the caller makes at once.  It may be a scheduling point. */
static inline void hd_range(const void *p, size_t n, bool write, uint64_t pc)
{
    if (n == 0)
        return;
    hd_plain_ordered((uintptr_t)p, n, write, pc);
    hd_range_races(p, n, write, pc);
}

/* Notes an access that a call makes as a part of another operation (the kernel fills the buffer of read).  It is
 * not a scheduling point; if plain accesses are scheduling points, a reduced search claims nothing.  If
 * the call reads the memory, note it before calling hd_io_end, which orders this thread before others; if the call
 * writes the memory, note it after calling hd_io_end, which orders this thread after others. */
void hd_range_of_call(const void *p, size_t n, bool write, uint64_t pc);
/* Like hd_range_of, for a zero-terminated text that the call reads. */
void hd_range_of_text(const char *s, uint64_t pc);

#endif
