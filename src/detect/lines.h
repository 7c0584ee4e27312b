/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.h - memory that is used by one thread at a time, as most of it is: by one alone, or
 * handed over from thread to thread.  Of 64 bytes of it no more has to be remembered than who
 * has used them last, and the race detector proper, which remembers each access, need not
 * look at them at all.
 *
 * L1  A line is 64 bytes of memory, and has an entry in a table.  Lines that are far from each
 *     other may have the same entry: they count as one.
 * L2  A line is *quiet* while each use of it happens after all those before, or is a read among
 *     reads that happen after the last write.  Nothing in a quiet line is in a race.  The entry
 *     is enough to decide that: all that the last user has done there, and all before it,
 *     is in the past of whoever knows of its last segment.
 * L3  A line that is not quiet once, by an access that is not ordered or by an atomic one, is
 *     *close*: the detector looks at each access to it, in all later executions.
 * L4  In the first executions the detector looks at all lines, so that most that are close are
 *     known early.  Afterwards, when a line is found to be close, the accesses before have
 *     not been looked at: the execution is `unsure`.  It must not be judged, but be begun
 *     again from the start.  So an execution that is not unsure has missed nothing.
 *
 * Which lines are close outlives the process, which may be killed at any instruction: they
 * only become more.  Pure memory: no libc. */
#ifndef HD_DETECT_LINES_H
#define HD_DETECT_LINES_H

#include "detect/clocks.h"

#define HD_LINE_BYTES 64u
#define HD_LINES (1u << 24)
#define HD_LINES_PATIENCE 8u /* executions in which all lines are looked at */
#define HD_LINES_UNSURE 32u   /* executions that may be unsure: then all are looked at again */

/* Segment, thread and how in one word, 0 none. */
typedef uint64_t hd_line_use;
#define HD_LINE_WRITTEN 1u   /* else only read, by that user since it has the line */
#define HD_LINE_BY_OTHERS 2u /* ... and by others at the same time, without an order */
#define HD_LINE_CLOSE UINT64_MAX

struct hd_line {
    hd_line_use last;
    hd_line_use write; /* the last one before `last` */
};

struct hd_lines_marks {
    uint32_t executions; /* so far */
    uint32_t nunsure;
    bool unsure; /* L4 */
    uint64_t close[HD_LINES / 64];
};

struct hd_lines {
    struct hd_line line[HD_LINES];
    struct hd_lines_marks *marks;
    bool trusted; /* L4: only close lines are looked at */
};

static inline hd_line_use hd_line_used(hd_segment segment, hd_tid tid, unsigned how)
{
    return (uint64_t)segment << 16 | (uint64_t)tid << 8 | how;
}

static inline hd_segment hd_line_segment(hd_line_use u) { return (hd_segment)(u >> 16); }
static inline hd_tid hd_line_tid(hd_line_use u) { return (uint8_t)(u >> 8); }

/* Threads have memory at strides that are large powers of two: the upper bits go into the
 * middle. */
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

/* Would this use of the line change nothing?  `writes`: how the thread writes now, which is not
 * 0, as that is a line that nobody has used. */
static inline bool hd_lines_quiet(struct hd_lines *l, uintptr_t addr, size_t size, bool write,
                                  hd_line_use writes)
{
    hd_line_use last = hd_line_of(l, addr)->last;

    return HD_LIKELY((write ? last : last | HD_LINE_WRITTEN) == writes) &&
           HD_LIKELY(__builtin_constant_p(size) && (size & (size - 1)) == 0 ? addr % size == 0
                                                                              : hd_line_has(addr, size));
}

void hd_lines_init(struct hd_lines *l, struct hd_lines_marks *marks);

/* An execution begins; forget: numbers of segments begin again. */
void hd_lines_begin(struct hd_lines *l, bool forget);
/* The execution that was unsure will be begun again. */
void hd_lines_again(struct hd_lines_marks *marks);

/* Quickly, of one line that is known not to be close: is it quiet?  False may be wrong, and
 * nothing has changed. */
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

/* The thread, which is in that segment, uses size bytes (not 0) from addr on: how many of them,
 * from the first on, are alike in that the detector has to look at them, or not. */
size_t hd_lines_use(struct hd_lines *l, const struct hd_clocks *c, hd_line_use by, uintptr_t addr,
                    size_t size, bool write, bool *look);
/* An atomic access, of at most a line's size. */
void hd_lines_share(struct hd_lines *l, const struct hd_clocks *c, uintptr_t addr, size_t size);

#endif
