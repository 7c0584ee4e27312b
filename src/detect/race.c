/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.c - compares an access with the earlier ones that are kept for its bytes.
 *
 * An access subsumes an earlier one if it happens after it and conflicts with at least as many accesses: a
 * write subsumes a read, a plain access an atomic one.  The earlier one can then be dropped.  Makes no libc
 * calls. */
#include "detect/race.h"

/* Forces inlining, so that the fields of an access stay in registers. */
#define INLINE __attribute__((always_inline))

struct access {
    uintptr_t addr; /* address of the 8 bytes that contain it */
    uint64_t pc;
    hd_segment segment;
    unsigned mask;
    hd_tid tid;
    bool write, atomic;
};

void hd_races_init(struct hd_races *r, struct hd_arena *arena, uint32_t nobjects, uint32_t npages,
                   hd_race_report *report, void *ctx)
{
    hd_clocks_init(&r->clocks, arena, nobjects);
    r->record = hd_arena_alloc(arena, HD_RACE_RECORDS * sizeof *r->record);
    hd_shadow_init(&r->shadow, arena, npages);
    r->report = report;
    r->ctx = ctx;
}

bool hd_races_begin(struct hd_races *r)
{
    bool forget = hd_clocks_begin(&r->clocks);

    if (forget)
        hd_shadow_clear(&r->shadow);
    r->nrecords = 0;
    r->free = 0;
    r->blind = false;
    return forget;
}

/* ---- the list of a cell ----------------------------------------------------------- */

static void forget_list(struct hd_races *r, struct hd_shadow_cell *cell)
{
    if (cell->more != 0 && hd_clocks_stale(&r->clocks, cell->more_segment))
        cell->more = 0;
}

static void add_record(struct hd_races *r, struct hd_shadow_cell *cell, struct hd_race_record rec)
{
    uint32_t at = r->free;

    if (at != 0)
        r->free = r->record[at - 1].next;
    else if (r->nrecords < HD_RACE_RECORDS)
        at = ++r->nrecords;
    if (at == 0) {
        r->blind = true;
        return;
    }
    rec.next = cell->more;
    r->record[at - 1] = rec;
    cell->more = at;
    cell->more_segment = r->clocks.next - 1; /* any segment number of this execution will do */
}

/* ---- comparing -------------------------------------------------------------------- */

static void flush_reports(struct hd_races *r)
{
    for (uint32_t i = 0; i < r->nfound; i++)
        r->report(r->ctx, &r->found[i]);
    r->nfound = 0;
}

/* Merges reports: two accesses that overlap in several cells are one race. */
static void add_to_report(struct hd_races *r, const struct hd_race *race)
{
    for (uint32_t i = 0; i < r->nfound; i++) {
        struct hd_race *f = &r->found[i];

        if (f->addr + f->size == race->addr && f->first.pc == race->first.pc &&
            f->first.tid == race->first.tid && f->first.write == race->first.write &&
            f->first.atomic == race->first.atomic) {
            f->size += race->size;
            return;
        }
    }
    if (r->nfound == HD_RACES_AT_ONCE)
        flush_reports(r);
    r->found[r->nfound++] = *race;
}

/* Converts one side of a race. pc is the value in the shadow memory, which may include HD_SHADOW_FREES. */
static struct hd_race_access side(uint64_t pc, uint32_t position, hd_tid tid, bool write, bool atomic)
{
    return (struct hd_race_access){ .pc = pc & ~HD_SHADOW_FREES, .position = position, .tid = tid,
                                    .write = write, .atomic = atomic,
                                    .frees = (pc & HD_SHADOW_FREES) != 0 };
}

/* Reports each contiguous range of common bytes: those kept of the earlier access may have gaps. */
static void report(struct hd_races *r, const struct access *now, const struct hd_race_record *then)
{
    unsigned common = now->mask & then->mask;
    unsigned at = 0;

    while (common != 0) {
        unsigned gap = (unsigned)__builtin_ctz(common);
        unsigned run = (unsigned)__builtin_ctz(~(common >> gap));
        struct hd_race race = {
            .addr = now->addr + at + gap,
            .size = run,
            .first = side(then->pc, hd_clocks_position(&r->clocks, then->segment), then->tid,
                          then->write, then->atomic),
            .second = side(now->pc, hd_clocks_events(&r->clocks), now->tid, now->write, now->atomic),
        };

        add_to_report(r, &race);
        at += gap + run;
        common >>= gap + run;
    }
}

/* Returns the bytes of the earlier access that must still be kept after this one. */
static uint8_t compare(struct hd_races *r, const struct access *now,
                       const struct hd_race_record *then)
{
    if (hd_clocks_stale(&r->clocks, then->segment))
        return 0;
    if ((then->mask & now->mask) == 0)
        return then->mask;
    bool stands_for = (now->write || !then->write) && (then->atomic || !now->atomic);
    bool kept = !stands_for;

    if (!hd_clocks_before(&r->clocks, then->segment, then->tid, now->tid)) {
        bool race = (then->write || now->write) && !(then->atomic && now->atomic);

        if (race)
            report(r, now, then);
        kept = !race || r->all_pairs; /* one report per access is enough, unless all pairs are wanted */
    }
    return kept ? then->mask : (uint8_t)(then->mask & ~now->mask);
}

static void compare_list(struct hd_races *r, struct hd_shadow_cell *cell, const struct access *now)
{
    uint32_t *link = &cell->more;

    while (*link != 0) {
        uint32_t at = *link;
        struct hd_race_record *rec = &r->record[at - 1];

        rec->mask = compare(r, now, rec);
        if (rec->mask != 0) {
            link = &rec->next;
            continue;
        }
        *link = rec->next;
        rec->next = r->free;
        r->free = at;
    }
}

/* Converts an access in a fixed place of the cell to a list entry, because another access replaces it there. */
static struct hd_race_record unpack(const struct hd_clocks *c, hd_segment segment, uint64_t word, bool write)
{
    return (struct hd_race_record){ .pc = hd_shadow_pc(word), .segment = segment,
                                    .tid = hd_clocks_user(c, segment, hd_shadow_tid(word)),
                                    .mask = (uint8_t)hd_shadow_mask(word), .write = write };
}

static void keep(struct hd_races *r, struct hd_shadow_cell *cell, const struct access *now)
{
    hd_segment *segment = now->write ? &cell->write_segment : &cell->read_segment;
    uint64_t *word = now->write ? &cell->write : &cell->read;
    unsigned before = hd_shadow_mask(*word);

    if (before != 0 && (*segment != now->segment || hd_shadow_pc(*word) != now->pc)) {
        add_record(r, cell, unpack(&r->clocks, *segment, *word, now->write));
        before = 0;
    }
    *segment = now->segment;
    *word = hd_shadow_word(before | now->mask, now->tid, now->pc);
}

static uint64_t compare_word(struct hd_races *r, const struct access *now, hd_segment segment,
                             uint64_t word, bool write)
{
    struct hd_race_record then = unpack(&r->clocks, segment, word, write);

    return then.mask == 0 ? word : hd_shadow_only(word, compare(r, now, &then));
}

static __attribute__((noinline)) void check_part(struct hd_races *r, struct hd_shadow_cell *cell,
                                                 const struct access *now)
{
    forget_list(r, cell);
    cell->write = compare_word(r, now, cell->write_segment, cell->write, true);
    cell->read = compare_word(r, now, cell->read_segment, cell->read, false);
    if (cell->more != 0)
        compare_list(r, cell, now);
    if (now->atomic)
        add_record(r, cell, (struct hd_race_record){ .pc = now->pc, .segment = now->segment,
                                                     .tid = now->tid, .mask = (uint8_t)now->mask,
                                                     .write = now->write, .atomic = true });
    else
        keep(r, cell, now);
}

/* ---- accesses that need no comparison ---- */

static inline INLINE bool is_past(const struct hd_clocks *c, hd_segment s, uint64_t word, hd_tid tid)
{
    return hd_clocks_before(c, s, hd_clocks_user(c, s, hd_shadow_tid(word)), tid) || hd_clocks_stale(c, s);
}

/* Like hd_races_quickly, but also correct for entries of earlier executions. */
static inline INLINE bool put_quickly(struct hd_races *r, struct hd_shadow_cell *cell,
                                      const struct access *now)
{
    return is_past(&r->clocks, cell->write_segment, cell->write, now->tid) &&
           is_past(&r->clocks, cell->read_segment, cell->read, now->tid) &&
           hd_races_put(&r->clocks, cell, now->segment, now->tid, now->mask, now->write, now->pc);
}

/* True if the list of a part contains no writes. *own is a plain read of the same thread in it that covers no
 * other bytes, or NULL. */
static inline INLINE bool only_reads(struct hd_races *r, const struct hd_shadow_cell *part,
                                     const struct access *now, struct hd_race_record **own)
{
    *own = NULL;
    for (uint32_t at = part->more; at != 0; at = r->record[at - 1].next) {
        struct hd_race_record *rec = &r->record[at - 1];

        if (rec->write)
            return false;
        if (rec->tid == now->tid && !rec->atomic && (rec->mask & ~now->mask) == 0)
            *own = rec;
    }
    return true;
}

/* Handles a read of memory that several threads read and none writes: it replaces the thread's previous read,
 * and the reads of other threads stay.  Does not handle the thread's first read. */
static inline INLINE bool read_among_others(struct hd_races *r, struct hd_shadow_cell *part,
                                            const struct access *now)
{
    struct hd_clocks *c = &r->clocks;
    struct hd_race_record *own;

    if (now->write || !is_past(c, part->write_segment, part->write, now->tid) ||
        hd_clocks_stale(c, part->read_segment) || !only_reads(r, part, now, &own))
        return false;
    hd_tid reader = hd_clocks_user(c, part->read_segment, hd_shadow_tid(part->read));

    if (reader == now->tid)
        return hd_races_put(c, part, now->segment, now->tid, now->mask, false, now->pc);
    if (own == NULL)
        return false;
    own->pc = hd_shadow_pc(part->read);
    own->segment = part->read_segment;
    own->tid = reader;
    own->mask = (uint8_t)hd_shadow_mask(part->read);
    part->read_segment = now->segment;
    part->read = hd_shadow_word(now->mask, now->tid, now->pc);
    return true;
}

static inline INLINE bool part_quickly(struct hd_races *r, struct hd_shadow_cell *part,
                                       const struct access *now)
{
    forget_list(r, part);
    if (!r->all_pairs && hd_races_has(part, now->segment, now->mask, now->write))
        return true;
    return part->more == 0 ? put_quickly(r, part, now) : read_among_others(r, part, now);
}

/* True if all parts of the access, from the i-th on, contain this access or one that subsumes it. */
static inline INLINE bool parts_have(const struct hd_races *r, const struct hd_shadow_cell *cell,
                                     const struct access *now, unsigned i)
{
    unsigned shift = hd_shadow_shift(cell), left = now->mask;

    for (; left != 0; i++) {
        unsigned bytes = hd_shadow_part(shift, i);

        if (!hd_races_has(&cell->parts[i], now->segment, left & bytes, now->write))
            return false;
        left &= ~bytes;
    }
    return !r->all_pairs;
}

static inline INLINE bool cell_quickly(struct hd_races *r, struct hd_shadow_cell *cell,
                                       const struct access *now)
{
    if (cell->parts == NULL)
        return put_quickly(r, cell, now);
    unsigned shift = hd_shadow_shift(cell);
    unsigned i = (unsigned)__builtin_ctz(now->mask) >> shift;

    if ((now->mask & ~hd_shadow_part(shift, i)) == 0)
        return part_quickly(r, &cell->parts[i], now);
    return parts_have(r, cell, now, i);
}

/* ---- accesses --------------------------------------------------------------------- */

/* Returns the part size that fits the access: its own size, if that is small and aligned. */
static unsigned shift_for(const struct access *now)
{
    unsigned at = (unsigned)__builtin_ctz(now->mask), run = now->mask >> at;

    if (now->atomic)
        return HD_SHADOW_COARSE;
    return run == 1 ? 0 : run == 3 && at % 2 == 0 ? 1 : HD_SHADOW_COARSE;
}

static bool has_lists(struct hd_races *r, struct hd_shadow_cell *cell)
{
    unsigned n = cell->parts == NULL ? 0 : 8u >> hd_shadow_shift(cell);

    for (unsigned i = 0; i < n; i++) {
        forget_list(r, &cell->parts[i]);
        if (cell->parts[i].more != 0)
            return true;
    }
    return false;
}

/* Splits the cell if necessary.  Returns false if there is no room. */
static bool split_for(struct hd_races *r, struct hd_shadow_cell *cell, const struct access *now)
{
    unsigned shift = shift_for(now);

    if (cell->parts != NULL && (shift >= hd_shadow_shift(cell) || has_lists(r, cell)))
        return true;
    return hd_shadow_split(&r->shadow, cell, shift) || cell->parts != NULL;
}

/* Checks each part in turn, with now->mask set to the bytes of the part.  A copy of the struct made right after
 * writing its fields would be slow (store forwarding fails). */
static void check_parts(struct hd_races *r, struct hd_shadow_cell *cell, struct access *now)
{
    if (!split_for(r, cell, now)) {
        r->blind = true;
        return;
    }
    unsigned shift = hd_shadow_shift(cell), left = now->mask;

    while (left != 0) {
        unsigned i = (unsigned)__builtin_ctz(left) >> shift;

        now->mask = left & hd_shadow_part(shift, i);
        left &= ~now->mask;
        if (now->atomic || !part_quickly(r, &cell->parts[i], now))
            check_part(r, &cell->parts[i], now);
    }
}

static inline struct hd_shadow_cell *cell_of(struct hd_races *r, uintptr_t addr)
{
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr, 1);

    if (cell == NULL)
        cell = hd_shadow_look_up(&r->shadow, addr);
    r->blind |= cell == NULL;
    return cell;
}

/* Returns the number of bytes from addr on, in whole cells of one page, that need no comparison. */
static inline INLINE size_t put_range(struct hd_races *r, const struct access *now, uintptr_t addr,
                                      size_t size)
{
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr, 8);
    const struct access whole = { .pc = now->pc, .segment = now->segment, .mask = 0xff,
                                  .tid = now->tid, .write = now->write };
    size_t room = HD_SHADOW_PAGE - addr % HD_SHADOW_PAGE, most = size < room ? size : room, n = 0;

    while (cell != NULL && most - n >= 8 && cell->parts == NULL && put_quickly(r, cell, &whole)) {
        cell++;
        n += 8;
    }
    return n;
}

static __attribute__((noinline)) void check(struct hd_races *r, struct access *now, size_t size)
{
    uintptr_t addr = now->addr;

    if (HD_UNLIKELY(r->blind || r->clocks.full))
        return;
    while (size > 0) {
        size_t done = size > 8 && !now->atomic ? put_range(r, now, addr, size) : 0;

        addr += done;
        size -= done;
        if (size == 0)
            break;
        unsigned offset = addr & 7;
        unsigned n = size < 8 - offset ? (unsigned)size : 8 - offset;
        struct hd_shadow_cell *cell = cell_of(r, addr);

        if (HD_UNLIKELY(cell == NULL))
            break;
        now->addr = addr - offset;
        now->mask = ((1u << n) - 1) << offset;
        if (now->atomic || !cell_quickly(r, cell, now))
            check_parts(r, cell, now);
        addr += n;
        size -= n;
    }
    flush_reports(r);
}

static __attribute__((noinline)) void check_plain(struct hd_races *r, hd_tid tid, uintptr_t addr,
                                                  size_t size, bool write, uint64_t pc)
{
    struct access now = { .addr = addr, .pc = pc, .tid = tid, .write = write,
                          .segment = hd_clocks_segment(&r->clocks, tid) };

    check(r, &now, size);
}

/* Handles n bytes from addr on in one cell.  Returns false if something may have to be compared. */
static inline INLINE bool in_cell_quickly(struct hd_races *r, struct access *now, uintptr_t addr, size_t n)
{
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr, 1);

    now->mask = ((1u << n) - 1) << (addr & 7);
    return cell != NULL && cell_quickly(r, cell, now);
}

/* Most accesses that come here are the first of a segment, or go to a split cell, or are unaligned.  The fields
 * of the access stay in registers until a comparison is needed. */
void hd_races_access_slow(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write,
                          uint64_t pc)
{
    struct access now = { .pc = pc, .tid = tid, .write = write,
                          .segment = hd_clocks_segment(&r->clocks, tid) };
    size_t room = 8 - (addr & 7);

    if (HD_LIKELY(now.segment != 0 && size - 1 < 8) &&
        in_cell_quickly(r, &now, addr, size < room ? size : room) &&
        (size <= room || in_cell_quickly(r, &now, addr + room, size - room)))
        return;
    check_plain(r, tid, addr, size, write, pc); /* checks all of the access again, including a part that was
                                                 * recorded above */
}

/* ---- atomic accesses --------------------------------------------------------------- */

/* True if some bytes of an earlier atomic access must be kept after this one, by the same rule as in compare(). */
static inline INLINE bool stays(const struct hd_races *r, struct hd_race_record *rec,
                                const struct access *now)
{
    if ((now->write || !rec->write) && hd_clocks_before(&r->clocks, rec->segment, rec->tid, now->tid))
        rec->mask &= (uint8_t)~now->mask;
    return rec->mask != 0;
}

/* Records an atomic access in a part that holds only atomic accesses: none of them races with it.  Returns
 * false if the part holds others. */
static inline INLINE bool put_atomic(struct hd_races *r, struct hd_shadow_cell *part,
                                     const struct access *now)
{
    hd_segment first = r->clocks.first;
    uint32_t *link = &part->more;

    if (HD_UNLIKELY(part->write_segment >= first || part->read_segment >= first))
        return false;
    forget_list(r, part);
    for (uint32_t at; (at = *link) != 0;) {
        struct hd_race_record *rec = &r->record[at - 1];

        if (!rec->atomic)
            return false;
        if (stays(r, rec, now)) {
            link = &rec->next;
        } else {
            *link = rec->next;
            rec->next = r->free;
            r->free = at;
        }
    }
    add_record(r, part, (struct hd_race_record){ .pc = now->pc, .segment = now->segment,
                                                 .tid = now->tid, .mask = (uint8_t)now->mask,
                                                 .write = now->write, .atomic = true });
    return true;
}

/* Handles the most frequent atomic accesses, which cover one or both parts of a cell that was split for them.
 * Returns false if check() has to handle the access; parts of it may already be recorded. */
static inline INLINE bool atomic_quickly(struct hd_races *r, struct access *now, size_t size)
{
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, now->addr, size);
    unsigned offset = now->addr & 7;

    if (HD_UNLIKELY(r->blind || r->clocks.full || size > 8 || cell == NULL || cell->parts == NULL ||
                    hd_shadow_shift(cell) != HD_SHADOW_COARSE))
        return false;
    now->mask = size == 8 ? 0x0f : ((1u << size) - 1) << offset;
    if (!put_atomic(r, &cell->parts[offset >> HD_SHADOW_COARSE], now))
        return false;
    now->mask = 0xf0;
    return size < 8 || put_atomic(r, &cell->parts[1], now);
}

static __attribute__((noinline)) void check_atomic(struct hd_races *r, const struct hd_event *e,
                                                   uintptr_t addr, size_t size, hd_segment segment)
{
    struct access now = { .addr = addr, .pc = e->pc, .tid = e->tid, .atomic = true,
                          .segment = segment, .write = hd_races_event_writes(e) };

    check(r, &now, size);
}

/* An atomic access happens after what it acquires, and before what acquires from it.  So it belongs to the
 * segment before the event, but is compared after the event has acquired. */
void hd_races_atomic(struct hd_races *r, const struct hd_event *e, uintptr_t addr)
{
    struct access now = { .addr = addr, .pc = e->pc, .tid = e->tid, .atomic = true,
                          .segment = hd_clocks_segment(&r->clocks, e->tid),
                          .write = hd_races_event_writes(e) };
    size_t size = (size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT);

    hd_clocks_atomic(&r->clocks, e);
    if (!atomic_quickly(r, &now, size))
        check_atomic(r, e, addr, size, now.segment);
}

void hd_races_transacted(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    struct access now = { .addr = addr, .pc = pc, .tid = tid, .atomic = true,
                          .segment = hd_clocks_segment(&r->clocks, tid), .write = write };

    check(r, &now, size);
}

void hd_races_event(struct hd_races *r, const struct hd_event *e, uintptr_t addr)
{
    if (hd_kind_hb[e->kind] == HD_HB_ATOMIC)
        hd_races_atomic(r, e, addr);
    else
        hd_clocks_event(&r->clocks, e);
}
