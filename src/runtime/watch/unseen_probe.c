/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_probe.c - breakpoints in uninstrumented code.  The pages of that code become permanently
 * writable, so setting or removing a breakpoint is one store. */

#include "runtime/watch/unseen_probe.h"

#include <link.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/sys.h"
#include "model/unseen.h"
#include "runtime/core/float_modes.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

enum { INT3 = 0xcc, MAX_BACK = 4096 };

/* A probe at the entry of a function.  Probes of one object are adjacent, in address order. */
struct probe {
    uintptr_t addr;
    uint32_t size;
    uint32_t row;
    uint8_t byte;    /* the original byte */
    uint8_t toggles; /* P2: the probe is removed while there is only one thread */
    uint8_t gone;    /* removed permanently */
};

/* P3: a probe at a return address. */
struct back {
    uintptr_t addr;
    uint32_t row;
    uint8_t byte;
    uint8_t away;
};

/* An object with probes. */
struct span {
    uintptr_t bias, lo, hi; /* address range of its functions */
    uint32_t first, n;      /* range of its probes in the list of all probes */
};

static struct probe *probes;
static uint32_t nprobes;
static struct span spans[HD_MAX_UNSEEN_OBJECTS];
static uint32_t nspans;
static struct back backs[MAX_BACK];
static uint32_t nbacks;
static uint32_t *toggled; /* indices of these probes */
static uint32_t ntoggled;
static long own_pid;
static unsigned nobjects; /* number of objects loaded before main */

bool hd_probe_waits; /* true until a second thread is created */

static struct hd_unseen_table *table(void)
{
    return hd.wire->common->unseen;
}

static void put(uintptr_t at, uint8_t byte)
{
    *(volatile uint8_t *)at = byte;
}

/* ---- setting up --------------------------------------------------------------------------- */

struct code {
    uintptr_t bias;
    bool found, writable;
};

static int open_code(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct code *c = arg;

    (void)size;
    if (info->dlpi_addr != c->bias || c->found)
        return 0;
    c->found = c->writable = true;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t lo = HD_PAGE_FLOOR(info->dlpi_addr + ph->p_vaddr);
        uintptr_t hi = HD_PAGE_CEIL(info->dlpi_addr + ph->p_vaddr + ph->p_memsz);

        if (ph->p_type == PT_LOAD && (ph->p_flags & PF_X) != 0)
            c->writable &= hd_sys(SYS_mprotect, lo, hi - lo, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    }
    return 0;
}

static const struct hd_module *module_of(const struct hd_unseen_span *s, uint32_t number)
{
    const struct hd_wire *w = hd.wire;

    if (number == 0)
        return w->nmodules > 0 ? &w->modules[0] : NULL;
    for (uint32_t i = 1; i < w->nmodules; i++)
        if (hd_imports_is_same(w->modules[i].path, s->path))
            return &w->modules[i];
    return NULL;
}

static void add_span(const struct hd_unseen_span *s, uint32_t number)
{
    const struct hd_module *m = module_of(s, number);
    struct span *to = &spans[nspans];
    struct code c = { .bias = m != NULL ? m->bias : 0 };

    if (m == NULL || s->n == 0 || s->first > HD_MAX_UNSEEN || s->n > HD_MAX_UNSEEN - s->first)
        return;
    dl_iterate_phdr(open_code, &c);
    if (!c.writable) {
        hd_uncontrolled("code that is not instrumented cannot be watched: its pages cannot be made writable");
        return;
    }
    *to = (struct span){ .bias = m->bias, .first = nprobes, .n = s->n };
    for (uint32_t i = s->first; i < s->first + s->n; i++) {
        const struct hd_unseen_row *r = &table()->row[i];
        struct probe *p = &probes[nprobes++];

        *p = (struct probe){ m->bias + r->addr, r->size, i, *(uint8_t *)(m->bias + r->addr), 0, 0 };
        put(p->addr, INT3);
    }
    to->lo = probes[to->first].addr;
    to->hi = probes[nprobes - 1].addr + probes[nprobes - 1].size;
    nspans++;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)info;
    (void)size;
    ++*(unsigned *)arg;
    return 0;
}

void hd_probe_init(void)
{
    const struct hd_unseen_table *t = table();

    dl_iterate_phdr(count_object, &nobjects);
    if (t->nspans == 0 || t->nspans > HD_MAX_UNSEEN_OBJECTS || hd.cfg->replay) /* P4: no probes in a replay */
        return;
    probes = hd_mem_map(0, HD_PAGE_CEIL((size_t)t->nrows * sizeof *probes + 1), PROT_READ | PROT_WRITE);
    toggled = hd_mem_map(0, HD_PAGE_CEIL((size_t)t->nrows * sizeof *toggled + 1), PROT_READ | PROT_WRITE);
    HD_INVARIANT(probes != NULL && toggled != NULL, "no memory for probes");
    for (uint32_t i = 0; i < t->nspans; i++)
        add_span(&t->span[i], i);
    hd_probe_waits = nprobes > 0;
}

void hd_probe_worker(void)
{
    own_pid = hd_sys(SYS_getpid, 0, 0, 0);
}

/* ---- lookup --------------------------------------------------------------------------------- */

static bool is_running_beside_others(void)
{
    unsigned live = 0;

    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        live += hd.exec->threads[i].state == HD_TH_LIVE;
    return live > 1;
}

static const struct span *span_of(uintptr_t pc)
{
    for (uint32_t i = 0; i < nspans; i++)
        if (pc - spans[i].lo < spans[i].hi - spans[i].lo)
            return &spans[i];
    return NULL;
}

/* Returns the probe of the function that contains pc, or NULL. */
static struct probe *probe_of(uintptr_t pc)
{
    const struct span *s = span_of(pc);
    uint32_t lo = s != NULL ? s->first : 0, hi = s != NULL ? s->first + s->n : 0;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (pc < probes[mid].addr)
            hi = mid;
        else if (pc - probes[mid].addr >= probes[mid].size)
            lo = mid + 1;
        else
            return &probes[mid];
    }
    return NULL;
}

static struct back *back_at(uintptr_t pc)
{
    for (uint32_t i = 0; i < nbacks; i++)
        if (backs[i].addr == pc)
            return &backs[i];
    return NULL;
}

static bool has_run(uint32_t row)
{
    return __atomic_load_n(&table()->row[row].ran, __ATOMIC_RELAXED) != 0;
}

/* ---- switching between one thread and several -------------------------------------------------- */

/* P2: a single thread is left.  Removes the probes that a lone thread has hit before, and the
 * probes at return addresses. */
static void disarm(void)
{
    for (uint32_t i = 0; i < nbacks; i++)
        if (!backs[i].away)
            put(backs[i].addr, backs[i].byte);
    nbacks = 0;
    for (uint32_t i = 0; i < ntoggled; i++)
        if (!probes[toggled[i]].gone)
            put(probes[toggled[i]].addr, probes[toggled[i]].byte);
    hd_probe_waits = true;
}

void hd_probe_begin(void)
{
    if (nprobes > 0 && !hd_probe_waits)
        disarm();
}

static void set_back(uintptr_t at, uint32_t row)
{
    if (back_at(at) != NULL || *(uint8_t *)at == INT3) /* the entry of a function has a probe already */
        return;
    if (nbacks == MAX_BACK) {
        hd_uncontrolled("code that is not instrumented is too deeply nested to be watched where it goes on");
        return;
    }
    backs[nbacks++] = (struct back){ at, row, *(uint8_t *)at, 0 };
    put(at, INT3);
}

/* True if a call instruction precedes this address.  A number on the stack that only looks like a code address
 * hardly ever passes this test. */
static bool is_behind_call(const uint8_t *at)
{
    return at[-5] == 0xe8 ||
           (at[-2] == 0xff && ((at[-1] & 0xf8) == 0xd0 || (at[-1] & 0xf8) == 0x10)) ||
           (at[-3] == 0xff && ((at[-2] & 0xf8) == 0x50 || at[-2] == 0x14)) ||
           (at[-4] == 0xff && at[-3] == 0x54) ||
           (at[-6] == 0xff && (at[-5] == 0x15 || (at[-5] & 0xf8) == 0x90)) ||
           (at[-7] == 0xff && (at[-6] == 0x94 || at[-6] == 0x14));
}

/* P3: sets probes at the return address and where the function catches exceptions. */
static void watch_frame(const struct probe *p, uintptr_t back)
{
    const struct hd_unseen_row *r = &table()->row[p->row];

    set_back(back, p->row);
    for (uint32_t i = 0; i < r->nresumes && r->first_resume + i < HD_MAX_RESUMES; i++) {
        uintptr_t at = p->addr - r->addr + table()->resume[r->first_resume + i];

        if (probe_of(at) == p) /* ignore code of the function that the compiler has placed elsewhere */
            set_back(at, p->row);
    }
}

static void watch_stack(uintptr_t from, uintptr_t to)
{
    for (const uintptr_t *word = (const uintptr_t *)(from & ~(uintptr_t)7); (uintptr_t)word < to; word++) {
        const struct probe *p = probe_of(*word);

        if (p != NULL && *word - p->addr >= 2 && !has_run(p->row) && is_behind_call((const uint8_t *)*word))
            watch_frame(p, *word);
    }
}

void hd_probe_arm(void)
{
    hd_probe_waits = false;
    for (uint32_t i = 0; i < ntoggled; i++)
        if (!probes[toggled[i]].gone)
            put(probes[toggled[i]].addr, INT3);
    if (hd.cur != NULL)
        watch_stack((uintptr_t)__builtin_frame_address(0), hd.cur->stack_hi);
}

/* ---- a hit ----------------------------------------------------------------------------------------- */

/* True in the worker itself while it has several threads.  False in a process that the target has forked. */
static bool hit_counts(void)
{
    return hd_sys(SYS_getpid, 0, 0, 0) == own_pid && is_running_beside_others();
}

static void name_it(uint32_t row)
{
    __atomic_store_n(&table()->row[row].ran, 1, __ATOMIC_RELAXED);
    if (table()->row[row].orders)
        __atomic_store_n(&table()->may_order, 1, __ATOMIC_RELAXED);
}

/* While a thread is alone, further hits bring no information, so the probe is removed for that time (P2). */
static void note_toggles(struct probe *p)
{
    if (!p->toggles) {
        p->toggles = 1;
        toggled[ntoggled++] = (uint32_t)(p - probes);
    }
}

bool hd_probe_hit(uintptr_t pc)
{
    struct back *b = back_at(pc);
    struct probe *p = b == NULL ? probe_of(pc) : NULL;

    if (b == NULL && (p == NULL || p->addr != pc))
        return false;
    if (hit_counts()) {
        name_it(b != NULL ? b->row : p->row);
        put(pc, b != NULL ? b->byte : p->byte);
        if (b != NULL)
            b->away = 1;
        else
            p->gone = 1;
        return true;
    }
    if (p != NULL) {
        note_toggles(p);
        put(pc, p->byte);
    }
    disarm();
    return true;
}

bool hd_probe_ran(uintptr_t pc)
{
    const struct probe *p = probe_of(pc);

    if (p == NULL || has_run(p->row))
        return true;
    if (hit_counts())
        name_it(p->row);
    return has_run(p->row);
}

bool hd_probe_may_order(void)
{
    return __atomic_load_n(&table()->may_order, __ATOMIC_RELAXED) != 0;
}

/* ---- objects loaded at run time ------------------------------------------------------------------------- */

static void note_late(const char *path)
{
    struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nlate; i++)
        if (hd_imports_is_same(w->late[i], path))
            return;
    if (w->nlate == HD_MAX_LATE) {
        hd_uncontrolled("many libraries are loaded while the program runs: not all were looked at");
        return;
    }
    hd_format(w->late[w->nlate], sizeof w->late[0], "%s", path);
    __atomic_store_n(&w->nlate, w->nlate + 1, __ATOMIC_RELEASE);
}

static int tell_late(struct dl_phdr_info *info, size_t size, void *arg)
{
    unsigned *number = arg;

    (void)size;
    if ((*number)++ >= nobjects)
        note_late(info->dlpi_name);
    return 0;
}

void hd_probe_late(void)
{
    unsigned number = 0;

    if (hd.wire == NULL)
        return;
    hd_program_look_at_loaded();
    if (nobjects > 0)
        dl_iterate_phdr(tell_late, &number);
}

/* ---- code made at run time ----------------------------------------------------------------------------- */

void hd_probe_code_made(void)
{
    hd_float_modes_code_made();
    if (hd.wire != NULL)
        hd_uncontrolled("memory is made executable while the program runs: code that is put there is not seen");
}
