/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_log.c - the accesses of the running transaction.  Reads are recorded before writes: the values that a
 * transaction has read determine what it reads next, so a search can predict it (search/por/footprints.h). */
#include "runtime/watch/tx_log.h"

#include "base/check.h"
#include "base/limits.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/gate.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/race.h"
#include "runtime/watch/tx_conflict.h"
#include "wire/wire.h"

enum { UNIT = HD_TX_UNIT, UNITS = 8192, TABLE = 4 * UNITS, LOG2_UNIT = 2, LINE = 64 };

struct unit {
    uintptr_t addr;
    uint64_t read_pc, write_pc;
    uint32_t before;       /* its contents before the first write */
    uint8_t reads, writes; /* bits: bytes read and written; a byte that was written first does not count as read */
    uint8_t read_when, written_when; /* bits of enum hd_tx_when */
    uint32_t recorded;     /* 1 + number of the event of the read; 0: not recorded */
    uint32_t written;      /* 1 + number of the event of the write; 0: not recorded */
};

static struct unit *units;
static uint16_t *table; /* 1 + number of the unit; open addressing */
static uint32_t nunits, nlines;

void hd_tx_log_start(void)
{
    units = hd_mem_map(0, HD_PAGE_CEIL(UNITS * sizeof *units), PROT_READ | PROT_WRITE);
    table = hd_mem_map(0, HD_PAGE_CEIL(TABLE * sizeof *table), PROT_READ | PROT_WRITE);
    HD_INVARIANT(units != NULL && table != NULL, "no memory for transactions");
}

static uint32_t place_of(uintptr_t addr)
{
    uint32_t i = (uint32_t)(addr * UINT64_C(0x9e3779b97f4a7c15) >> 40) % TABLE;

    while (table[i] != 0 && units[table[i] - 1].addr != addr)
        i = (i + 1) % TABLE;
    return i;
}

void hd_tx_log_begin(void)
{
    while (nunits > 0) /* backwards, because lookups stop at a free entry */
        table[place_of(units[--nunits].addr)] = 0;
    nlines = 0;
}

/* ---- lines ---------------------------------------------------------------------------------------- */

static uintptr_t line_of(uintptr_t addr)
{
    uintptr_t size = hd.cfg->tm_line != 0 ? hd.cfg->tm_line : LINE;

    return addr & ~(size - 1);
}

/* True if no unit of the line was touched. */
static bool is_new_line(uintptr_t addr)
{
    uintptr_t line = line_of(addr);

    for (uintptr_t at = line; line_of(at) == line; at += UNIT)
        if (table[place_of(at)] != 0)
            return false;
    return true;
}

bool hd_tx_log_is_over_capacity(void)
{
    return hd.cfg->tm_capacity != 0 && nlines > hd.cfg->tm_capacity;
}

/* False sharing (--tm-line): a thread that touches memory of a line also touches the first unit of the line. */
static void touch_line(const struct unit *u, bool write)
{
    uintptr_t line = line_of(u->addr);

    if (hd.cfg->tm_line != 0 && line != u->addr)
        hd_touch_unit(hd_object((const void *)line, HD_OBJ_MEMORY), write, write ? u->write_pc : u->read_pc);
}

/* ---- accesses ------------------------------------------------------------------------------------- */

static struct unit *unit_at(uintptr_t addr)
{
    uint32_t i = place_of(addr);

    if (table[i] != 0)
        return &units[table[i] - 1];
    if (nunits == UNITS)
        return NULL;
    nlines += hd.cfg->tm_capacity != 0 && is_new_line(addr);
    units[nunits] = (struct unit){ .addr = addr };
    table[i] = (uint16_t)(nunits + 1);
    return &units[nunits++];
}

/* Returns the bytes of the unit at addr that the access covers, as bits. */
static uint8_t bytes_of(uintptr_t addr, uintptr_t from, uintptr_t end)
{
    unsigned all = 0xf;

    if (from > addr)
        all &= 0xfu << (from - addr);
    if (end < addr + UNIT)
        all &= (1u << (end - addr)) - 1;
    return (uint8_t)all;
}

static void note(struct unit *u, uint8_t bytes, bool write, uint64_t pc)
{
    if (!write) {
        if (u->reads == 0 && (bytes & ~u->writes) != 0)
            u->read_pc = pc;
        u->reads |= (uint8_t)(bytes & ~u->writes);
        return;
    }
    if (u->writes == 0) {
        u->write_pc = pc;
        u->before = *(const uint32_t *)u->addr;
    }
    u->writes |= bytes;
}

bool hd_tx_log_add(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    uintptr_t end = addr + size;

    for (uintptr_t at = addr & ~(uintptr_t)(UNIT - 1); at < end; at += UNIT) {
        struct unit *u = unit_at(at);

        if (u == NULL)
            return false;
        note(u, bytes_of(at, addr, end), write, pc);
    }
    return !hd_tx_log_is_over_capacity();
}

/* Restores only the bytes that were written: the others may belong to another thread, which is not running now. */
static void put_back(const struct unit *u, uint32_t value, uintptr_t lo, uintptr_t hi)
{
    for (unsigned k = 0; k < UNIT; k++)
        if ((u->writes >> k & 1) && !(u->addr >= lo && u->addr < hi))
            ((uint8_t *)u->addr)[k] = (uint8_t)(value >> 8 * k);
}

void hd_tx_log_undo(uintptr_t lo, uintptr_t hi)
{
    for (uint32_t i = nunits; i > 0; i--)
        put_back(&units[i - 1], units[i - 1].before, lo, hi);
}

/* ---- parts ---------------------------------------------------------------------------------------- */

static struct {
    uint32_t n;
    struct kept {
        uint32_t value;
        uint8_t writes;
    } *kept; /* [UNITS] */
} levels[HD_TX_LEVELS];

void hd_tx_log_keep(unsigned level)
{
    if (levels[level].kept == NULL)
        levels[level].kept = hd_mem_map(0, HD_PAGE_CEIL(UNITS * sizeof *levels[level].kept), PROT_READ | PROT_WRITE);
    HD_INVARIANT(levels[level].kept != NULL, "no memory for transactions");
    levels[level].n = nunits;
    for (uint32_t i = 0; i < nunits; i++)
        levels[level].kept[i] = (struct kept){ *(const uint32_t *)units[i].addr, units[i].writes };
}

void hd_tx_log_undo_to(unsigned level, uintptr_t lo, uintptr_t hi)
{
    for (uint32_t i = nunits; i > 0; i--) {
        struct unit *u = &units[i - 1];
        struct kept was = i <= levels[level].n ? levels[level].kept[i - 1] : (struct kept){ u->before, 0 };

        put_back(u, was.value, lo, hi);
        u->writes = was.writes;
    }
}

/* ---- the record ----------------------------------------------------------------------------------- */

/* Re-evaluates threads that may wait for what was read or written. */
static void tell(const struct hd_event *e, struct hd_obj *o)
{
    bool write = e->kind == HD_EV_TX_WRITE;

    if (HD_UNLIKELY(o->nwatchers != 0))
        hd_gate_reevaluate_object(o);
    if (HD_UNLIKELY(hd.special))
        hd_callbacks.special_event(hd.cur, e, o, !write);
    if (hd.access_mode & HD_MODE_POINTS)
        hd_callbacks.points_used(o, e);
}

/* Records an access.  The event of a read contains the value before the transaction, that of a write also the
 * value after it. */
static void record(const struct unit *u, bool write)
{
    struct hd_obj *o = hd_object((const void *)u->addr, HD_OBJ_MEMORY);
    uint32_t now = *(const uint32_t *)u->addr, before = u->writes != 0 ? u->before : now;
    struct hd_event e = { .tid = hd.cur->tid, .kind = write ? HD_EV_TX_WRITE : HD_EV_TX_READ,
                          .flags = LOG2_UNIT << HD_EVF_SIZE_SHIFT, .peer = HD_NO_TID, .obj = o->id,
                          .aux = write ? u->written_when : u->read_when,
                          .obj2 = write ? hd_event_value_hash(before) : 0,
                          .pc = write ? u->write_pc : u->read_pc, .value = write ? now : before };

    o->extent = o->extent < UNIT ? UNIT : o->extent;
    hd_gate_make_room();
    hd_gate_record(&e, o);
    if (!write)
        tell(&e, o);
    touch_line(u, write);
}

/* For the race detector the whole transaction happens at one moment.  It is first ordered after everything that it
 * conflicts with; then its accesses are compared with those of other threads; later operations are ordered after all
 * of it. Reads of an aborted transaction do no harm: they are only ordered after others. */
static void check_races(bool committed)
{
    for (uint32_t i = 0; i < nunits; i++)
        hd_race_tx_enter(units[i].addr, committed && units[i].writes != 0);
    for (uint32_t i = 0; committed && i < nunits; i++) {
        const struct unit *u = &units[i];

        if (u->reads != 0)
            hd_race_tx_access(u->addr, u->reads, false, u->read_pc);
        if (u->writes != 0)
            hd_race_tx_access(u->addr, u->writes, true, u->write_pc);
    }
    for (uint32_t i = 0; committed && i < nunits; i++)
        hd_race_tx_leave(units[i].addr, units[i].writes != 0);
}

void hd_tx_log_record_reads(void)
{
    for (uint32_t i = 0; i < nunits; i++) {
        if (units[i].recorded != 0)
            hd.exec->events[units[i].recorded - 1].aux = units[i].read_when;
        if (units[i].reads == 0 || units[i].recorded != 0)
            continue;
        units[i].recorded = hd.exec->nevents + 1;
        record(&units[i], false);
    }
}

void hd_tx_log_mark(enum hd_tx_when when)
{
    for (uint32_t i = 0; i < nunits; i++) {
        units[i].read_when |= (uint8_t)(units[i].reads != 0 ? when : 0);
        units[i].written_when |= (uint8_t)(units[i].writes != 0 ? when : 0);
    }
}

void hd_tx_log_record(bool writes)
{
    hd_tx_log_record_reads();
    for (uint32_t i = 0; writes && i < nunits; i++)
        if (units[i].writes != 0) {
            units[i].written = hd.exec->nevents + 1;
            record(&units[i], true);
        }
}

bool hd_tx_log_settle(bool committed)
{
    bool written = false;

    for (uint32_t i = 0; i < nunits; i++) {
        if (units[i].written == 0)
            continue;
        struct hd_event *e = &hd.exec->events[units[i].written - 1];

        if (committed) {
            tell(e, hd_object((const void *)units[i].addr, HD_OBJ_MEMORY));
        } else {
            e->value = units[i].before;
            e->flags |= HD_EVF_FAILED; /* so that nobody takes it for a change (hd_event_changes) */
        }
        written |= committed;
    }
    if (hd.races)
        check_races(committed);
    return written;
}
