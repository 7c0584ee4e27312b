/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.h - a filter in front of the race detector.  Most memory is used by one thread at a time: it is
 * private, or passed from thread to thread.  For such memory it is enough to remember the last user of each 64
 * bytes, and the race detector itself, which remembers each access, need not check it.
 *
 * L1  A line is 64 bytes of memory, with an entry in a table.  Lines that are far apart may share an entry;
 *     they count as one line.
 * L2  A line is *quiet* as long as each use happens after all earlier ones, or is one of several reads that all
 *     happen after the last write.  Nothing in a quiet line races.  The last use is enough to decide that: if a
 *     thread is ordered after it, the thread is ordered after all uses of the line.
 * L3  A line becomes *close* by its first unordered or atomic access.  The detector then checks
 *     each access to it, in all later executions.
 * L4  In the first executions the detector checks all lines, so that most close lines are found early.  If a
 *     line becomes close later, its previous accesses in that execution have not been checked: the execution is
 *     `unsure`.  Its results must not be used, and it must be run again.  So an execution that is not unsure
 *     has missed nothing.
 *
 * The set of close lines outlives the process, which may be killed at any instruction; this is safe because the
 * set only grows.  Makes no libc calls. */
#ifndef HD_DETECT_LINES_H
#define HD_DETECT_LINES_H

#include "detect/clocks.h"

#define HD_LINE_BYTES 64u
#define HD_LINES (1u << 24)
#define HD_LINES_PATIENCE 8u /* number of executions in which all lines are checked */
#define HD_LINES_UNSURE 32u   /* after this many unsure executions all lines are checked again */

/* Segment, thread and flags of a use in one word; 0: none. */
typedef uint64_t hd_line_use;
#define HD_LINE_WRITTEN 1u   /* otherwise the user has only read the line */
#define HD_LINE_BY_OTHERS 2u /* other threads have read the line concurrently */
#define HD_LINE_CLOSE UINT64_MAX

struct hd_line {
    hd_line_use last;
    hd_line_use write; /* the last write before `last` */
};

struct hd_lines_marks {
    uint32_t executions; /* number of executions so far */
    uint32_t nunsure;
    bool unsure; /* accesses of this execution were missed, so its results must not be used (L4) */
    uint64_t close[HD_LINES / 64];
};

struct hd_lines {
    struct hd_line line[HD_LINES];
    struct hd_lines_marks *marks;
    bool trusted; /* rule L4: only close lines are checked */
};

static inline hd_line_use hd_line_used(hd_segment segment, hd_tid tid, unsigned how)
{
    return (uint64_t)segment << 32 | (uint64_t)tid << 8 | how;
}

static inline hd_segment hd_line_segment(hd_line_use u) { return (hd_segment)(u >> 32); }
static inline hd_tid hd_line_tid(hd_line_use u) { return (hd_tid)(u >> 8); }

/* Returns the entry of a line.  The memory areas of threads are large powers of two apart, so upper bits of the
 * address are mixed into the middle ones. */
static inline struct hd_line *hd_line_of(struct hd_lines *l, uintptr_t addr)
{
    _Static_assert(sizeof(struct hd_line) == 16, "16 bytes for 64");
    return (struct hd_line *)(void *)((char *)l->line +
                                      ((addr >> 2 ^ addr >> 16) & (HD_LINES - 1) * (size_t)16));
}

static inline bool hd_line_has(uintptr_t addr, size_t size)
{
    return addr % HD_LINE_BYTES + size <= HD_LINE_BYTES;
}

/* True if this use would not change the entry. `writes` is the word that stands for a write by the thread at
 * this time; it must not be 0, which is the entry of an unused line. */
static inline bool hd_lines_unchanged(struct hd_lines *l, uintptr_t addr, size_t size, bool write,
                                  hd_line_use writes)
{
    hd_line_use last = hd_line_of(l, addr)->last;

    return HD_LIKELY((write ? last : last | HD_LINE_WRITTEN) == writes) &&
           HD_LIKELY(__builtin_constant_p(size) && (size & (size - 1)) == 0 ? addr % size == 0
                                                                              : hd_line_has(addr, size));
}

void hd_lines_init(struct hd_lines *l, struct hd_lines_marks *marks);

/* Begins an execution. `forget` tells that segment numbers restart. */
void hd_lines_begin(struct hd_lines *l, bool forget);
/* Call if the execution, which was unsure, will be run again. */
void hd_lines_rerun(struct hd_lines_marks *marks);

/* A quick check for a line that is not close: true if the use is quiet.  False means only that the full check
 * is needed; then the entry is unchanged. */
static inline bool hd_line_passes(struct hd_line *line, const struct hd_clocks *c, hd_line_use by,
                                  bool write)
{
    hd_line_use last = line->last, how = write ? HD_LINE_WRITTEN : 0;

    if ((last & ~(hd_line_use)HD_LINE_WRITTEN) == by) {
        line->last = last | how;
        return true;
    }
    if ((last & HD_LINE_BY_OTHERS) || hd_clocks_stale(c, hd_line_segment(last)) ||
        !hd_clocks_before(c, hd_line_segment(last), hd_line_tid(last), hd_line_tid(by)))
        return false;
    if (last & HD_LINE_WRITTEN)
        line->write = last;
    line->last = by | how;
    return true;
}

/* Call when a thread uses size bytes (not 0) from addr on; `by` is that use.  Stores in *look whether the
 * detector has to check the first bytes, and returns for how many bytes this answer holds. */
size_t hd_lines_use(struct hd_lines *l, const struct hd_clocks *c, hd_line_use by, uintptr_t addr,
                    size_t size, bool write, bool *look);
/* Handles an atomic access, which is at most as large as a line. */
void hd_lines_share(struct hd_lines *l, const struct hd_clocks *c, uintptr_t addr, size_t size);

#endif
