/* SPDX-License-Identifier: BSD-2-Clause
 *
 * points.c - decides which plain accesses are scheduling points, and which objects they touch.
 *
 * Racing sites are stored by name, in the order of their discovery, in memory shared by all workers.  They survive
 * the death of a worker, several workers may add sites, and one number ("the first n sites") says exactly which
 * sites were points in an execution. */
#include "runtime/watch/points.h"

#include "base/check.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/progress/poll.h"
#include "runtime/restore/heap_query.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/unseen_sections.h"
#include "wire/wire.h"

#define TABLE (2 * HD_MAX_SITES)

enum {
    UNIT = 4,
    MAX_UNITS = 16,     /* maximum number of units of one access that get separate objects */
    ALL_UNITS = 4096,   /* the same limit with --points=every */
    LARGEST_ACCESS = 16, /* bytes of one instruction's access; a larger access is a copy */
    LONGEST_TURN = 256  /* V6: largest number of executions until new sites become points; a power of two */
};

static uint64_t *table;       /* [TABLE]: addresses of the sites that are points; open addressing */
static uint32_t nactive;      /* number of known sites that are points */
static uint16_t number_of[TABLE]; /* index of the site in the list */

/* ---- sites ------------------------------------------------------------------------ */

static inline size_t place_of(uint64_t pc)
{
    return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32) % TABLE;
}

/* Returns the index of the address in the table, or that of a free entry if the address is no
 * site. */
static inline size_t find(uint64_t pc)
{
    size_t i = place_of(pc);

    while (table[i] != 0 && table[i] != pc)
        i = (i + 1) % TABLE;
    return i;
}

static inline bool is_site(uint64_t pc)
{
    return table[find(pc)] != 0;
}

bool hd_points_chosen(uint64_t pc)
{
    size_t i = table != NULL ? find(pc) : 0;

    return table != NULL && table[i] != 0 && number_of[i] < hd.wire->common->nchosen;
}

/* Returns the address of a site.  The shadow memory keeps 48 bits of an address, which covers user space. */
static uint64_t address_of(hd_cname name)
{
    uint64_t offset = hd_cname_offset(name);

    /* the name may come from a file */
    return hd_cname_region(name) == HD_REG_MODULE && hd_cname_index(name) < hd.wire->nmodules
               ? hd.wire->modules[hd_cname_index(name)].bias + offset
               : offset;
}

static void activate(uint32_t n)
{
    for (; nactive < n; nactive++) {
        uint64_t pc = address_of(hd.wire->common->sites[nactive].name);
        size_t i = find(pc);

        if (table[i] == 0)
            number_of[i] = (uint16_t)nactive;
        table[i] = pc;
    }
}

/* ---- when new sites become points (V6) --------------------------------------------- */

/* V6: returns the last index, up to this one, at which new sites become points. */
static uint64_t turn_of(uint64_t index)
{
    uint64_t step = 1;

    while (step < LONGEST_TURN && step * 8 <= index)
        step *= 2;
    return index - index % step;
}

static uint64_t next_turn(uint64_t index)
{
    uint64_t next = index + 1;

    while (turn_of(next) != next)
        next++;
    return next;
}

static uint64_t next_index(void)
{
    return hd_execution_index(hd_campaign_totals(&hd.wire->campaign));
}

static bool by_turns(void)
{
    return hd_traits_samples(&hd.cfg->traits) && !hd.cfg->replay;
}

uint32_t hd_points_count(void)
{
    const struct hd_site *sites = hd.wire->common->sites;
    uint64_t index = next_index();
    uint32_t n = 0;

    if (!by_turns())
        return (uint32_t)hd_campaign_totals(&hd.wire->campaign)->sites;
    while (n < HD_MAX_SITES && sites[n].from != 0 && sites[n].from <= index)
        n++;
    return n;
}

bool hd_points_ready(void)
{
    const struct hd_common *c = hd.wire->common;

    if (hd.cfg->points == HD_POINTS_SYNC || !by_turns() || !hd.cfg->by_index)
        return true;
    uint64_t turn = turn_of(next_index());

    for (uint32_t i = 0; i < c->nworkers; i++)
        if (__atomic_load_n(&c->tally[i].begun, __ATOMIC_ACQUIRE) * c->nworkers + i < turn)
            return false;
    return true;
}

/* ---- adding ------------------------------------------------------------------------- */

/* Adds a site.  Returns false if there was no room.  Several workers may call this concurrently.  A worker that
 * has claimed a row may die before it stores the index from which on the site is a point; its execution is then
 * run again and stores the same index. */
static bool add_site(uint64_t pc)
{
    struct hd_site *sites = hd.wire->common->sites;
    hd_cname name = hd_object_name(pc);

    for (uint32_t i = 0; i < HD_MAX_SITES;) {
        hd_cname other = __atomic_load_n(&sites[i].name, __ATOMIC_ACQUIRE);

        if (other != name && other != 0) {
            i++;
            continue;
        }
        if (other == 0 && !__atomic_compare_exchange_n(&sites[i].name, &other, name, false,
                                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            continue;
        if (__atomic_load_n(&sites[i].from, __ATOMIC_ACQUIRE) == 0)
            __atomic_store_n(&sites[i].from, next_turn(next_index()), __ATOMIC_RELEASE);
        return true;
    }
    hd_fact(HD_FACT_SITES);
    return false;
}

static bool on_own_stack(const struct hd_thread *t, uintptr_t addr)
{
    return addr >= t->stack_lo && addr < t->stack_hi;
}

/* Makes the site of the access a point, unless it already is one: atomics are points anyway, and with --points=all
 * (V5) most plain accesses are. */
static void promote(const struct hd_race_access *a, uintptr_t addr)
{
    if (a->atomic || is_site(a->pc) || hd.cfg->points == HD_POINTS_EVERY ||
        (hd.cfg->points == HD_POINTS_ALL && !on_own_stack(&hd.thread[a->tid], addr)))
        return;
    add_site(a->pc);
}

void hd_points_race(const struct hd_race *race)
{
    if (hd.cfg->points == HD_POINTS_SYNC || hd.cfg->replay)
        return;
    if (hd.cfg->filters.n > 0)
        hd_fact(HD_FACT_FILTERED);
    promote(&race->first, race->addr);
    promote(&race->second, race->addr);
}

void hd_points_stuck(uint64_t pc)
{
    if (hd.cfg->points != HD_POINTS_RACES || (!hd.cfg->replay && !add_site(pc)))
        return;
    hd_execution_over(HD_END_TOO_LONG);
}

void hd_points_begin(void)
{
    if (hd.cfg->points == HD_POINTS_SYNC)
        return;
    if (table == NULL)
        table = hd_mem_map(0, TABLE * sizeof *table, PROT_READ | PROT_WRITE);
    HD_INVARIANT(table != NULL, "no memory for racing sites");
    activate(hd_points_count());
    hd.access_mode |= HD_MODE_POINTS;
    hd_gate_special();
}

void hd_points_end(void)
{
    hd.exec->sites = hd_common_sites(hd.wire->common);
}

/* ---- selecting accesses ------------------------------------------------------------ */

/* Applies the filters to the call stack: the function of the operation, and the functions to which the
 * calls on the shadow stack return.  A call belongs to the function that made it. */
bool hd_points_selected(uint64_t pc)
{
    const struct hd_filters *f = &hd.cfg->filters;
    uint64_t bias = hd.wire->modules[0].bias;
    int best = hd_filter_match(f, pc - 1 - bias, -1);

    for (const struct hd_call *c = hd_fiber_calls(hd.cur->slot) + 1; c < hd.calls; c++)
        best = hd_filter_match(f, c->pc - 1 - bias, best);
    return hd_filter_accepts(f, best);
}

bool hd_points_at(uint64_t pc)
{
    return (hd.access_mode & HD_MODE_POINTS) && (hd.cfg->points >= HD_POINTS_ALL || is_site(pc));
}

static bool is_point(uintptr_t addr, uint64_t pc)
{
    if (hd.cfg->points == HD_POINTS_RACES && nactive == 0)
        return false;
    bool wanted = hd.cfg->points == HD_POINTS_EVERY ||
                  (hd.cfg->points == HD_POINTS_ALL && addr - hd.stack_lo >= hd.stack_len);

    return (wanted || is_site(pc)) && (hd.cfg->filters.n == 0 || hd_points_selected(pc));
}

/* ---- the operation ------------------------------------------------------------------ */

static struct hd_obj *unit_at(uintptr_t addr)
{
    return hd_object((const void *)addr, HD_OBJ_MEMORY);
}

/* Touches the further units of a large access: the compiler reports an access to a structure as a whole, although
 * many instructions make it. */
static void touch_rest(uintptr_t from, uintptr_t end, bool write, uint64_t pc)
{
    unsigned most = hd.cfg->points == HD_POINTS_EVERY ? ALL_UNITS : MAX_UNITS;

    for (unsigned n = 2; from < end && n < most; n++, from += UNIT)
        hd_touch_unit(unit_at(from), write, pc);
    if (from >= end)
        return;
    if (write)
        hd_poll_written(from, end - from);
    else
        hd_poll_read(from, end - from);
}

static void operate(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    uintptr_t first = addr & ~(uintptr_t)(UNIT - 1), end = addr + size;
    bool two = end > first + UNIT;

    if (size > LARGEST_ACCESS)
        hd_fact(HD_FACT_RANGE);
    hd_op(write ? HD_EV_PLAIN_WRITE : HD_EV_PLAIN_READ, unit_at(first),
          two ? unit_at(first + UNIT) : NULL, pc);
    hd_done(0, (two ? 3u : 2u) << HD_EVF_SIZE_SHIFT);
    if (end > first + 2 * UNIT)
        touch_rest(first + 2 * UNIT, end, write, pc);
}

bool hd_points_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (!is_point(addr, pc))
        return false;
    operate(addr, size, write, pc);
    return true;
}

/* Makes the free a point, unless it happens inside libc, because libc may hold a lock there. */
void hd_points_free(uintptr_t addr, size_t size, uint64_t pc)
{
    if (size == 0 || !hd_program_is_targets(pc) || !is_point(addr, pc))
        return;
    hd_entry.rsp = 0; /* this operation is not a poll */
    hd_op(HD_EV_PLAIN_WRITE, unit_at(addr & ~(uintptr_t)(UNIT - 1)), unit_at(hd_heap_life(addr)), pc);
    hd_done(HD_PLAIN_FREES, 2u << HD_EVF_SIZE_SHIFT);
    hd_poll_written(addr, size);
}

void hd_points_used(const struct hd_obj *o, const struct hd_event *e)
{
    if (hd.cfg->points == HD_POINTS_EVERY &&
        (e->kind == HD_EV_MUTEX_UNLOCK || e->kind == HD_EV_COND_WAIT))
        hd_unseen_sections_ended(o, e);

    bool frees = e->kind == HD_EV_PLAIN_WRITE && e->value == HD_PLAIN_FREES;
    uintptr_t life = o != NULL && !frees ? hd_heap_life(o->addr) : 0;

    if (life != 0)
        hd_touch_unit(unit_at(life), false, e->pc);
}

void hd_points_atomic(const struct hd_event *e, uintptr_t addr)
{
    uintptr_t end = addr + ((size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT));
    bool write = e->kind != HD_EV_ATOMIC_LOAD && !(e->flags & HD_EVF_FAILED);

    for (uintptr_t unit = addr & ~(uintptr_t)(UNIT - 1); unit < end; unit += UNIT)
        if (unit != addr)
            hd_touch_unit(unit_at(unit), write, e->pc);
    if (HD_UNLIKELY(hd.cfg->tm_line != 0) && hd.access_mode & HD_MODE_UNITS) {
        uintptr_t line = addr & ~((uintptr_t)hd.cfg->tm_line - 1);

        if (line < (addr & ~(uintptr_t)(UNIT - 1)))
            hd_touch_unit(unit_at(line), write, e->pc);
    }
}
