/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.c - routes atomic instructions through the gate.  See library_atomics.h. */

#include "runtime/hooks/library_atomics.h"

#include <link.h>

#include "base/check.h"
#include "base/sys.h"
#include "model/locked.h"
#include "runtime/core/entry.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/hooks/access.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/unseen_probe.h"
#include "wire/wire.h"

/* The byte that traps.  A breakpoint is faster in virtual machines, but a debugger would take it for its own.  So a
 * debugger gets 0x06 (push of a segment register), which is undefined in 64-bit mode and also one byte long. */
enum { BREAKPOINT = 0xcc, NO_INSTRUCTION = 0x06, JUMP = 0xe9, JUMP_LENGTH = 5, ROOM = 64, RSP = 4, RED_ZONE = 128 };

/* In the order in which the assembly pushes them. */
struct hd_locked_regs {
    uint64_t reg[16];
    uint64_t flags, back, pc;
};

struct site {
    uintptr_t pc, code; /* address of the instruction and of its trampoline */
    struct hd_locked_site is;
    bool named; /* its function has already been reported as running concurrently, or need not be */
};

static struct site *sites;
static uint32_t nsites;
static uint32_t *by_place; /* maps the hash of an address to the number of its site + 1 */
static uint32_t mask;

/* The entry in assembly, and the function that it calls. */
extern void hd_locked_entry(void) __attribute__((visibility("hidden")));
void hd_locked_point(struct hd_locked_regs *r, uintptr_t pc);

static uint32_t place_of(uintptr_t pc)
{
    return (uint32_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & mask;
}

static struct site *site_at(uintptr_t pc)
{
    for (uint32_t i = place_of(pc); nsites > 0 && by_place[i] != 0; i = (i + 1) & mask)
        if (sites[by_place[i] - 1].pc == pc)
            return &sites[by_place[i] - 1];
    return NULL;
}

uintptr_t hd_locked_trap(uintptr_t pc)
{
    const struct site *s = site_at(pc);

    return s != NULL ? s->code : 0;
}

/* ---- effect of an instruction --------------------------------------------------------------- */

static uint64_t register_of(const struct hd_locked_regs *r, uint8_t reg)
{
    if (reg >= HD_LOCKED_HIGH)
        return r->reg[(reg - HD_LOCKED_HIGH) & 3] >> 8;
    if (reg == RSP)
        return (uintptr_t)(r + 1) + RED_ZONE;
    return reg < HD_LOCKED_NONE ? r->reg[reg] : 0;
}

static uint64_t other_operand(const struct hd_locked_regs *r, const struct hd_locked_site *s)
{
    return s->source == HD_LOCKED_NONE ? (uint64_t)s->value : register_of(r, s->source);
}

static bool is_of_bits(const struct hd_locked_site *s)
{
    return s->op == HD_LOCKED_BTS || s->op == HD_LOCKED_BTR || s->op == HD_LOCKED_BTC;
}

/* A bit number in a register is relative to the address and may reach far beyond the word. */
static uintptr_t address_of(const struct hd_locked_regs *r, const struct site *s)
{
    uint64_t a = (uint64_t)(int64_t)s->is.disp + register_of(r, s->is.index) * s->is.scale;

    a += s->is.base == HD_LOCKED_RIP ? s->pc + s->is.length : register_of(r, s->is.base);
    if (is_of_bits(&s->is) && s->is.source != HD_LOCKED_NONE) {
        int64_t bit = s->is.size == 8 ? (int64_t)register_of(r, s->is.source)
                      : s->is.size == 4 ? (int32_t)register_of(r, s->is.source)
                                        : (int16_t)register_of(r, s->is.source);

        a += (uint64_t)((bit >> (s->is.size == 8 ? 6 : s->is.size == 4 ? 5 : 4)) * s->is.size);
    }
    return a;
}

static uint64_t cut(uint64_t v, unsigned size)
{
    return size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v;
}

static uint64_t value_at(uintptr_t addr, unsigned size)
{
    uint64_t v = 0;

    hd_mem_copy(&v, (const void *)addr, size < 8 ? size : 8);
    return v;
}

/* Returns the value after the operation; for wide operands, its first 8 bytes. */
static uint64_t result_of(const struct hd_locked_site *s, uint64_t old, uint64_t v)
{
    uint64_t bit = UINT64_C(1) << (v & (8 * s->size - 1u) & 63);

    switch (s->op) {
    case HD_LOCKED_XCHG:
    case HD_LOCKED_CMPXCHG: return v;
    case HD_LOCKED_XADD:
    case HD_LOCKED_ADD: return old + v;
    case HD_LOCKED_SUB: return old - v;
    case HD_LOCKED_AND: return old & v;
    case HD_LOCKED_OR: return old | v;
    case HD_LOCKED_XOR: return old ^ v;
    case HD_LOCKED_INC: return old + 1;
    case HD_LOCKED_DEC: return old - 1;
    case HD_LOCKED_NEG: return -old;
    case HD_LOCKED_NOT: return ~old;
    case HD_LOCKED_BTS: return old | bit;
    case HD_LOCKED_BTR: return old & ~bit;
    case HD_LOCKED_BTC: return old ^ bit;
    default: return ~old; /* depends on the carry flag: any value other than old will do */
    }
}

/* For 16 bytes, the event records the low halves.  SAME is set only if both halves are unchanged. */
static void record_pair(const struct hd_locked_regs *r, const struct hd_locked_site *s, uintptr_t addr)
{
    unsigned half = s->size / 2;
    uint64_t lo = value_at(addr, half), hi = value_at(addr + half, half);
    bool same = lo == cut(r->reg[0], half) && hi == cut(r->reg[2], half);
    bool kept = lo == cut(r->reg[3], half) && hi == cut(r->reg[1], half);

    if (same)
        hd_atomic_leave_from(lo, cut(r->reg[3], half), kept ? HD_EVF_SAME : 0);
    else
        hd_atomic_leave_failed(cut(r->reg[0], half), lo, __ATOMIC_SEQ_CST);
}

static void record(const struct hd_locked_regs *r, const struct hd_locked_site *s, uintptr_t addr)
{
    uint64_t old, now;

    if (s->op == HD_LOCKED_CMPXCHG_PAIR) {
        record_pair(r, s, addr);
        return;
    }
    old = value_at(addr, s->size);
    if (s->op == HD_LOCKED_CMPXCHG && old != cut(r->reg[0], s->size)) {
        hd_atomic_leave_failed(cut(r->reg[0], s->size), old, __ATOMIC_SEQ_CST);
        return;
    }
    now = cut(result_of(s, old, other_operand(r, s)), s->size);
    hd_atomic_leave_from(old, now, now == old ? HD_EVF_SAME : 0);
}

void hd_locked_point(struct hd_locked_regs *r, uintptr_t pc)
{
    struct site *s = site_at(pc);
    bool compares = s->is.op == HD_LOCKED_CMPXCHG || s->is.op == HD_LOCKED_CMPXCHG_PAIR;
    uintptr_t addr = address_of(r, s);

    if (HD_UNLIKELY(!s->named) && hd.cur != NULL)
        s->named = hd_probe_ran(pc);
    hd_entry.rsp = 0; /* the surrounding code is unknown, so the thread must not be parked */
    if (hd_atomic_enter(compares ? HD_EV_ATOMIC_CAS : HD_EV_ATOMIC_RMW, (void *)addr, s->is.size, __ATOMIC_SEQ_CST,
                        pc + s->is.length))
        record(r, &s->is, addr);
}

/* ---- setting up ------------------------------------------------------------------------------- */

struct code {
    uintptr_t bias, lo, hi; /* bias: load address of the object; lo, hi: range of the code */
    int prot;
    bool found, changed;
};

static int protect_code(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct code *c = arg;

    (void)size;
    if (info->dlpi_addr != c->bias || c->found)
        return 0;
    c->found = c->changed = true;
    c->lo = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t lo = HD_PAGE_FLOOR(info->dlpi_addr + ph->p_vaddr);
        uintptr_t hi = HD_PAGE_CEIL(info->dlpi_addr + ph->p_vaddr + ph->p_memsz);

        if (ph->p_type != PT_LOAD)
            continue;
        c->lo = lo < c->lo ? lo : c->lo;
        c->hi = hi > c->hi ? hi : c->hi;
        if ((ph->p_flags & PF_X) != 0)
            c->changed &= hd_sys(SYS_mprotect, lo, hi - lo, c->prot) == 0;
    }
    return 0;
}

/* Finds room for the trampolines within reach of a jump (2 GB).  Leaves the addresses next to the object free,
 * because the kernel and the loader put later objects there. */
static uint8_t *room_near(const struct code *c, size_t n)
{
    static const int64_t distance[] = { -0x40000000, -0x50000000, -0x30000000, 0x40000000, 0x50000000, 0x30000000 };

    for (size_t i = 0; i < sizeof distance / sizeof *distance; i++) {
        uintptr_t at = HD_PAGE_FLOOR(c->lo + (uint64_t)distance[i]);

        if (distance[i] < 0 && c->lo < UINT64_C(0x60000000))
            continue;
        for (unsigned k = 0; k < 16; k++) {
            uint8_t *p = hd_mem_map(at + k * UINT64_C(0x400000), n, PROT_READ | PROT_WRITE);

            if (p != NULL)
                return p;
        }
    }
    return NULL;
}

static uint8_t *emit(uint8_t *to, const void *bytes, size_t n)
{
    hd_mem_copy(to, bytes, n);
    return to + n;
}

static uint8_t *emit32(uint8_t *to, uint64_t v)
{
    uint32_t low = (uint32_t)v;

    return emit(to, &low, sizeof low);
}

static uint8_t *emit_jump(uint8_t *to, uintptr_t target)
{
    *to = JUMP;
    return emit32(to + 1, target - ((uintptr_t)to + JUMP_LENGTH));
}

/* lea -128(%rsp), %rsp; push $pc; call *entry; lea 128(%rsp), %rsp; the instruction; jmp back */
static void write_code(uint8_t *to, const struct site *s, uintptr_t entry)
{
    uint8_t *instruction;

    to = emit(to, "\x48\x8d\x64\x24\x80\x68", 6);
    to = emit32(to, s->pc);
    to = emit(to, "\xc7\x44\x24\x04", 4);
    to = emit32(to, s->pc >> 32);
    to = emit(to, "\xff\x15", 2);
    to = emit32(to, entry - ((uintptr_t)to + 4));
    to = emit(to, "\x48\x8d\xa4\x24\x80\x00\x00\x00", 8);
    instruction = to;
    to = emit(to, (const void *)s->pc, s->is.length);
    if (s->is.disp_at != 0) /* a RIP-relative operand: adjust it to the new place */
        emit32(instruction + s->is.disp_at, (uint64_t)(int64_t)s->is.disp + s->pc - (uintptr_t)instruction);
    emit_jump(to, s->pc + s->is.length);
}

static void lead(const struct site *s)
{
    uint8_t *at = (uint8_t *)s->pc;

    if (s->is.moved < JUMP_LENGTH) {
        *at = hd.cfg->debug ? NO_INSTRUCTION : BREAKPOINT;
        return;
    }
    emit_jump(at, s->code);
}

static void remember(uint32_t number)
{
    uint32_t i = place_of(sites[number].pc);

    while (by_place[i] != 0)
        i = (i + 1) & mask;
    by_place[i] = number + 1;
}

static const struct hd_module *module_of(const struct hd_locked_span *s, uint32_t number)
{
    const struct hd_wire *w = hd.wire;

    if (number == 0)
        return w->nmodules > 0 ? &w->modules[0] : NULL;
    for (uint32_t i = 1; i < w->nmodules; i++)
        if (hd_imports_is_same(w->modules[i].path, s->path))
            return &w->modules[i];
    return NULL;
}

static void add_sites(const struct hd_locked_table *t, const struct hd_locked_span *span, uint8_t *room, uintptr_t bias)
{
    uintptr_t entry = (uintptr_t)hd_locked_entry;

    emit(room, &entry, sizeof entry);
    for (uint32_t i = 0; i < span->n; i++) {
        struct site *s = &sites[nsites];

        s->is = t->site[span->first + i];
        s->pc = bias + s->is.addr;
        s->code = (uintptr_t)room + (i + UINT64_C(1)) * ROOM;
        write_code((uint8_t *)s->code, s, (uintptr_t)room);
        remember(nsites++);
    }
    for (uint32_t i = nsites - span->n; i < nsites; i++)
        lead(&sites[i]);
}

static void add_span(const struct hd_locked_table *t, uint32_t number)
{
    const struct hd_locked_span *span = &t->span[number];
    const struct hd_module *m = module_of(span, number);
    size_t bytes = HD_PAGE_CEIL((span->n + UINT64_C(1)) * ROOM);
    struct code c = { .bias = m != NULL ? m->bias : 0, .prot = PROT_READ | PROT_WRITE };
    uint8_t *room = NULL;

    if (m == NULL || span->n == 0 || span->first > t->nsites || span->n > t->nsites - span->first)
        return;
    dl_iterate_phdr(protect_code, &c);
    if (c.changed)
        room = room_near(&c, bytes);
    if (room != NULL)
        add_sites(t, span, room, m->bias);
    else
        hd_uncontrolled("atomic instructions of code that is not instrumented cannot be intercepted: its pages "
                        "cannot be made writable, or there is no room near it");
    c.prot = PROT_READ | PROT_EXEC;
    c.found = false;
    dl_iterate_phdr(protect_code, &c);
    if (room != NULL)
        hd_mem_protect((uintptr_t)room, (uintptr_t)room + bytes, PROT_READ | PROT_EXEC);
}

void hd_locked_init(void)
{
    const struct hd_locked_table *t = hd.wire->common->locked;
    uint32_t room = 64;

    if (t->nsites == 0 || t->nsites > HD_MAX_LOCKED || t->nspans > HD_MAX_LOCKED_OBJECTS)
        return;
    while (room < 2 * t->nsites)
        room *= 2;
    mask = room - 1;
    sites = hd_mem_map(0, HD_PAGE_CEIL((size_t)t->nsites * sizeof *sites), PROT_READ | PROT_WRITE);
    by_place = hd_mem_map(0, HD_PAGE_CEIL((size_t)room * sizeof *by_place), PROT_READ | PROT_WRITE);
    HD_INVARIANT(sites != NULL && by_place != NULL, "no memory for atomic instructions");
    for (uint32_t i = 0; i < t->nspans; i++)
        add_span(t, i);
}
