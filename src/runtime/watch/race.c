/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.c - feeds the race detector and reports its results.
 *
 * A race is reported once for each pair of sites: the same two lines race in most executions, at
 * many addresses.  The table here avoids most lookups; the signatures on the wire say what other
 * workers have reported. */
#include "runtime/watch/race.h"

#include "base/check.h"
#include "base/sys.h"
#include "detect/race.h"
#include "runtime/core/ledger.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/openmp.h"
#include "runtime/watch/points.h"
#include "runtime/watch/predict.h"
#include "runtime/watch/race_outcome.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/watch/witness.h"
#include "wire/wire.h"

#define MEMORY_BYTES (UINT64_C(1) << 36) /* a sparse mapping, which uses four times the memory that the program
                                          * touches */
#define PAGES (1u << 20)
#define PAIRS 4096
#define FREED_BYTES 16384 /* number of bytes of a freed block that count as written even if nothing has used them */

struct hd_races hd_races;
static struct hd_arena memory;
static struct hd_lines *lines; /* NULL: every access is checked exactly */
static uint64_t reported[PAIRS]; /* hashes of pairs, open addressing */
static uint32_t nreported;

static bool is_new(const struct hd_race *race)
{
    uint64_t pair = hd_race_pair(race);
    uint32_t i = (uint32_t)pair % PAIRS;

    pair |= 1;
    while (reported[i] != 0 && reported[i] != pair)
        i = (i + 1) % PAIRS;
    if (reported[i] == pair || nreported == PAIRS / 2)
        return false;
    reported[i] = pair;
    nreported++;
    return true;
}

/* True if libstdc++ frees the block: its own atomics may order the access. */
static bool may_be_ordered(const struct hd_race_access *a)
{
    return a->frees && !hd_program_is_instrumented(a->pc);
}

/* True if it is not known whether the two accesses are ordered.  OpenMP's library orders threads by
 * unseen plain accesses and atomics, beyond what openmp.h knows (O4), and so does any other
 * uninstrumented code with atomic instructions. */
static bool is_possible_only(const struct hd_race *race)
{
    static const char *library;
    static bool known;
    char text[200];

    if (!known)
        library = hd_openmp_is_known() ? NULL : hd_program_openmp();
    known = true;
    if (HD_LIKELY(library == NULL && !hd_probe_may_order()))
        return false;
    hd_format(text, sizeof text, "possible data race, unless %s orders the accesses: %s+0x%lx and %s+0x%lx",
              library != NULL ? library : "code that is not instrumented",
              hd_program_file(race->first.pc), hd_program_offset(race->first.pc),
              hd_program_file(race->second.pc), hd_program_offset(race->second.pc));
    hd_uncontrolled(text);
    return true;
}

/* Reports a race.  Races after a failure are its consequence, so they are ignored.  With suppressions, the calls
 * that lead to a known race matter as well.  If many schedules are run, each is reported separately. */
static void found(void *ctx, const struct hd_race *race)
{
    (void)ctx;
    if (HD_UNLIKELY(hd_finding_muted))
        return;
    hd_points_race(race);
    if (hd.failed || may_be_ordered(&race->first) || may_be_ordered(&race->second))
        return;
    if (is_possible_only(race))
        return;
    if (HD_UNLIKELY(hd.witness != 0))
        hd_witness_race(race);
    hd_race_outcome_race(race);
    if (hd.cfg->judged || hd.cfg->many || is_new(race))
        hd_finding_race(race);
    else
        hd.exec->findings += hd_config_fails_with(hd.cfg, HD_FK_DATA_RACE);
}

/* All workers of a zygote share the knowledge about lines; otherwise each worker would have to
 * gather it again. */
static void start_lines(void)
{
    size_t n = sizeof(struct hd_lines_marks);
    long flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long marks = hd_sys6(SYS_mmap, (long)hd_mem_place(n), (long)n, PROT_READ | PROT_WRITE, flags, -1, 0);
    void *table = hd_mem_map((uintptr_t)HD_LINES_AT, sizeof *HD_LINES_AT, PROT_READ | PROT_WRITE);

    HD_INVARIANT(table != NULL && (marks > 0 || marks < -4095), "no memory for the race detector");
    if (hd_races.all_pairs)
        return;
    lines = HD_LINES_AT;
    hd_lines_init(lines, (struct hd_lines_marks *)marks);
}

/* Returns the rule for release sequences.  Instrumented code in other objects may have been compiled for another
 * standard. */
static uint8_t release_rule(void)
{
    static bool known;
    static uint8_t rule;
    const struct hd_wire *w = hd.wire;

    if (HD_LIKELY(known))
        return rule;
    known = true;
    rule = hd.cfg->release_rule;
    for (uint32_t i = 1; i < w->nmodules && i < HD_MAX_MODULES; i++)
        if (w->modules[i].instrumented)
            rule = HD_RELEASE_OPEN;
    return rule;
}

void hd_race_loads(void)
{
    hd_races.clocks.rule = HD_RELEASE_OPEN;
}

static void start(void)
{
    if (!hd.cfg->races)
        return;
    memory.size = MEMORY_BYTES;
    memory.base = hd_mem_map(0, memory.size, PROT_READ | PROT_WRITE);
    HD_INVARIANT(memory.base != NULL, "no memory for the race detector");
    hd_races_init(&hd_races, &memory, HD_MAX_OBJECTS, PAGES, found, NULL);
    hd_races.all_pairs = hd.cfg->points != HD_POINTS_SYNC;
    start_lines();
    hd_races.clocks.events = &hd.exec->nevents;
    hd_predict_start();
    if (hd.wire->witness.race.size != 0 || hd.wire->witness.nwanted != 0 ||
        hd.wire->witness.wants_trails)
        hd.witness = HD_ACCESS_WITNESS;
}

static void begin(void)
{
    if (memory.base == NULL)
        return;
    bool forget = hd_races_begin(&hd_races);

    hd_races.clocks.rule = release_rule();
    if (lines != NULL)
        hd_lines_begin(lines, forget);
    hd_predict_execution();
    hd.races = true;
}

static HD_COLD void tell_of_rule(void)
{
    uint64_t pc = hd_races.clocks.relied_pc;
    char text[250];

    hd_format(text, sizeof text, "a relaxed store after a release store of the same thread orders accesses up "
                                 "to C++17, not since C++20: %s+0x%lx reads it, and the standard is unknown or "
                                 "differs between files",
              hd_program_file(pc), hd_program_offset(pc));
    hd_uncontrolled(text);
}

void hd_race_end(void)
{
    if (hd.races && HD_UNLIKELY(hd_races.clocks.relied))
        tell_of_rule();
    if (hd.races && (hd_races.blind || hd_races.clocks.full)) {
        hd_fact(HD_FACT_RACES);
        hd_uncontrolled("the race detector ran out of room: not all accesses were checked");
    }
    hd.races = false;
}

/* ---- modules whose accesses count -------------------------------------------------- */

/* The C++ standard libraries copy on behalf of their callers and have almost no synchronisation of
 * their own. */
static bool is_cxx_library(const char *path)
{
    static const char *const names[] = { "libstdc++.so", "libc++.so" };
    const char *base = path;

    for (const char *p = path; *p != '\0'; p++)
        if (*p == '/')
            base = p + 1;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *a = names[i], *b = base;

        while (*a != '\0' && *a == *b)
            a++, b++;
        if (*a == '\0')
            return true;
    }
    return false;
}

bool hd_race_sees(uint64_t pc, uintptr_t addr)
{
    static uint64_t lo, hi; /* the module of the last query */
    static bool seen, instrumented;
    const struct hd_wire *w = hd.wire;

    if (HD_LIKELY(pc - lo < hi - lo))
        return seen && (instrumented || addr - lo >= hi - lo);
    for (uint32_t i = 0; i < w->nmodules; i++) {
        const struct hd_module *m = &w->modules[i];

        if (pc - m->lo >= m->hi - m->lo)
            continue;
        lo = m->lo;
        hi = m->hi;
        instrumented = m->instrumented;
        seen = instrumented || (w->modules[0].instrumented && is_cxx_library(m->path));
        return hd_race_sees(pc, addr);
    }
    return hd_program_look_at_loaded() && hd_race_sees(pc, addr);
}

bool hd_race_is_unsure(void)
{
    return lines != NULL && lines->marks->unsure;
}

bool hd_race_needs_rerun(void)
{
    if (!hd_race_is_unsure())
        return false;
    hd_lines_rerun(lines->marks);
    return true;
}

void hd_race_plain(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_tid tid = hd.cur->tid;
    hd_segment now = hd_clocks_segment(&hd_races.clocks, tid);
    bool look;

    if (lines == NULL || now == 0) {
        hd_races_access_slow(&hd_races, tid, addr, size, write, pc);
        return;
    }
    for (size_t n; size > 0; addr += n, size -= n) {
        n = hd_lines_use(lines, &hd_races.clocks, hd_line_used(now, tid, 0), addr, size, write, &look);
        if (look)
            hd_races_access_slow(&hd_races, tid, addr, n, write, pc);
    }
    if (lines->trusted && hd.access_mode == 0)
        hd.writes = hd_line_used(now, tid, HD_LINE_WRITTEN);
}

/* False if no thread can have used this part of the heap in this execution. */
static bool may_be_used(uintptr_t addr)
{
    return lines == NULL ? hd_races_knows(&hd_races, addr)
                         : !hd_clocks_stale(&hd_races.clocks, hd_line_segment(hd_line_of(lines, addr)->last));
}

/* Checks the rest of a large block, part by part.  Most of it is usually unused and must not take memory. */
static void free_rest(uintptr_t at, uintptr_t end, uint64_t pc)
{
    uintptr_t step = lines == NULL ? HD_PAGE : HD_LINE_BYTES;

    for (uintptr_t next; at < end; at = next) {
        next = (at & ~(step - 1)) + step;
        if (next > end)
            next = end;
        if (may_be_used(at))
            hd_race_plain(at, next - at, true, pc | HD_SHADOW_FREES);
    }
}

void hd_race_free(uintptr_t addr, size_t size, uint64_t pc)
{
    uintptr_t rest = addr + (size < FREED_BYTES ? size : FREED_BYTES);

    if (hd.writes != 0 && hd_lines_unchanged(lines, addr, size, true, hd.writes))
        return; /* as in hd_plain: the usual case, a small block */
    hd_race_plain(addr, rest - addr, true, pc | HD_SHADOW_FREES);
    free_rest(rest, addr + size, pc);
}

static __attribute__((noinline)) void atomic(const struct hd_event *e, uintptr_t addr)
{
    size_t size = (size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT);

    if (lines != NULL && HD_UNLIKELY(hd_line_of(lines, addr)->last != HD_LINE_CLOSE ||
                                     hd_line_of(lines, addr + size - 1)->last != HD_LINE_CLOSE))
        hd_lines_share(lines, &hd_races.clocks, addr, size);
    hd_races_atomic(&hd_races, e, addr);
}

/* ---- transactions ------------------------------------------------------------------------------ */

static uint32_t unit_of(uintptr_t addr)
{
    return hd_object((const void *)addr, HD_OBJ_MEMORY)->id;
}

void hd_race_tx_enter(uintptr_t unit, bool write)
{
    hd.writes = 0;
    hd_clocks_tx_enter(&hd_races.clocks, hd.cur->tid, unit_of(unit), write);
}

void hd_race_tx_leave(uintptr_t unit, bool write)
{
    hd_clocks_tx_leave(&hd_races.clocks, hd.cur->tid, unit_of(unit), write);
}

void hd_race_tx_access(uintptr_t unit, unsigned bytes, bool write, uint64_t pc)
{
    if (lines != NULL)
        hd_lines_share(lines, &hd_races.clocks, unit, 4);
    if (bytes == 0xf) {
        hd_races_transacted(&hd_races, hd.cur->tid, unit, 4, write, pc);
        return;
    }
    for (unsigned k = 0; k < 4; k++)
        if (bytes >> k & 1)
            hd_races_transacted(&hd_races, hd.cur->tid, unit + k, 1, write, pc);
}

void hd_race_tx_atomic(const struct hd_event *e, uintptr_t addr)
{
    uintptr_t end = addr + ((size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT));
    struct hd_event at_unit = *e;

    for (uintptr_t unit = addr & ~(uintptr_t)3; unit < end; unit += 4)
        if (unit != addr) {
            at_unit.obj = unit_of(unit);
            hd_clocks_atomic(&hd_races.clocks, &at_unit);
        }
}

/* ---- objects in the heap ----------------------------------------------------------------------- */

/* An operation on a lock, condition, ... in a block of the heap reads the block, and its initialisation
 * and destruction write it: if nothing orders the operation and a free of the block, then another order
 * uses freed memory.  A search that runs one order of the two must notice that. */

void hd_race_use(uintptr_t addr, uint64_t pc)
{
    if (hd_race_sees(pc, addr))
        hd_race_plain(addr, 1, false, pc);
}

static bool is_of_thread_library(unsigned type)
{
    return type >= HD_OBJ_MUTEX && type <= HD_OBJ_ONCE && type != HD_OBJ_COND_TOKENS;
}

static bool releases(unsigned hb)
{
    return hb == HD_HB_GIVE || hb == HD_HB_UNLOCK || hb == HD_HB_READ_UNLOCK || hb == HD_HB_WRITE_UNLOCK;
}

/* Checks the use of an object in the heap as an access.  If the event releases, the access counts as before the event;
 * if it acquires, as after it.  A thread that leaves a barrier does not use it: destroying the barrier waits for that
 * thread. */
static HD_COLD void in_heap(const struct hd_event *e, uintptr_t addr)
{
    const struct hd_kind_info *kind = &hd_kind_info[e->kind];
    bool uses = is_of_thread_library(kind->obj) && e->kind != HD_EV_BARRIER_LEAVE && hd_race_sees(e->pc, addr);
    bool writes = kind->props & HD_PROP_SETS_UP;

    if (uses && releases(kind->hb))
        hd_race_plain(addr, 1, writes, e->pc);
    hd_clocks_event(&hd_races.clocks, e);
    if (uses && !releases(kind->hb))
        hd_race_plain(addr, 1, writes, e->pc);
    hd.writes = 0;
}

static inline void detect(const struct hd_event *e, uintptr_t addr)
{
    hd.writes = 0;
    if (HD_UNLIKELY(hd_kind_hb[e->kind] == HD_HB_ATOMIC))
        atomic(e, addr);
    else if (HD_UNLIKELY(hd_is_heap_address(addr)))
        in_heap(e, addr);
    else
        hd_clocks_event(&hd_races.clocks, e);
}

static struct hd_clocks_saved saved;

void hd_race_save(hd_tid tid, uint32_t obj)
{
    hd_clocks_save(&hd_races.clocks, tid, obj, &saved);
}

void hd_race_restore(void)
{
    hd_clocks_restore(&hd_races.clocks, &saved);
    hd.writes = 0;
}

static HD_COLD void event_with_witness(const struct hd_event *e, uintptr_t addr)
{
    if (hd.witness != 0)
        hd_witness_event(e);
    detect(e, addr);
    if (hd.access_mode & HD_MODE_PREDICT)
        hd_predict_saw(e);
}

void hd_race_event(const struct hd_event *e, uintptr_t addr)
{
    if (HD_UNLIKELY((hd.witness | (hd.access_mode & HD_MODE_PREDICT)) != 0))
        event_with_witness(e, addr);
    else
        detect(e, addr);
}

const struct hd_detector hd_detector_race = { .start = start, .begin = begin, .end = hd_race_end };
