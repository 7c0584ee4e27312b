/* SPDX-License-Identifier: BSD-2-Clause
 *
 * processor_clock.c - see processor_clock.h. */
#include "runtime/kernel/processor_clock.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/sys/mem.h"

/* ---- the counter ------------------------------------------------------------------------ */

void hd_processor_clock_ban(void)
{
    if (hd_sys6(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0, 0) != 0)
        hd_uncontrolled("this kernel cannot trap reads of the processor's clock (rdtsc)");
}

void hd_processor_clock_allow(void)
{
    hd_sys6(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0, 0);
}

/* The mode that each thread has set, by tid.  By default, a thread may read the counter. */
static struct {
    uint32_t epoch;
    int mode;
} asked[HD_MAX_THREADS];

static int mode_of(const struct hd_thread *t)
{
    return t != NULL && asked[t->tid].epoch == hd.epoch ? asked[t->tid].mode : PR_TSC_ENABLE;
}

int hd_processor_clock_set(unsigned long mode)
{
    if (mode != PR_TSC_ENABLE && mode != PR_TSC_SIGSEGV)
        return EINVAL;
    if (mode == PR_TSC_SIGSEGV)
        hd_uncontrolled("prctl(PR_SET_TSC) forbids the processor's clock: threads that are made later may read it");
    asked[hd.cur->tid].epoch = hd.epoch;
    asked[hd.cur->tid].mode = (int)mode;
    return 0;
}

int hd_processor_clock_get(int *mode)
{
    *mode = mode_of(hd.cur);
    return 0;
}

/* Returns the length of the rdtsc or rdtscp instruction at pc; 0 if it is another instruction.
 * *processor: it also returns the processor number (rdtscp). */
static unsigned length_at(const unsigned char *pc, bool *processor)
{
    *processor = pc[0] == 0x0f && pc[1] == 0x01;
    if (pc[0] != 0x0f)
        return 0;
    if (pc[1] == 0x31)
        return 2;
    return *processor && pc[2] == 0xf9 ? 3 : 0;
}

bool hd_processor_clock_trap(void *context)
{
    enum { GENERAL_PROTECTION = 13 };
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    bool processor;

    if (r[REG_TRAPNO] != GENERAL_PROTECTION)
        return false; /* a page fault: the code at RIP may not be readable */
    unsigned n = length_at((const unsigned char *)r[REG_RIP], &processor);

    if (n == 0 || mode_of(hd.cur) == PR_TSC_SIGSEGV)
        return false;
    hd_time_touch(true);
    uint64_t now = hd_time_of(CLOCK_MONOTONIC);

    r[REG_RAX] = (greg_t)(now & UINT32_MAX);
    r[REG_RDX] = (greg_t)(now >> 32);
    if (processor)
        r[REG_RCX] = 0;
    r[REG_RIP] += n;
    return true;
}

/* ---- the vdso ----------------------------------------------------------------------------- */

enum { STUB = 24 };

static const struct {
    const char *name;
    unsigned call;
} functions[] = {
    { "__vdso_clock_gettime", SYS_clock_gettime },
    { "__vdso_gettimeofday", SYS_gettimeofday },
    { "__vdso_time", SYS_time },
    { "__vdso_clock_getres", SYS_clock_getres },
    { "__vdso_getcpu", SYS_getcpu },
    { "__vdso_getrandom", SYS_getrandom },
};

struct vdso {
    uintptr_t base;  /* addresses in the image are relative to it */
    uintptr_t lo, hi;
    const Elf64_Sym *symbols;
    const char *names;
    uint32_t nsymbols;
};

static void find_tables(struct vdso *v, const Elf64_Dyn *d)
{
    for (; d->d_tag != DT_NULL; d++) {
        uintptr_t at = v->base + d->d_un.d_ptr;

        if (d->d_tag == DT_SYMTAB)
            v->symbols = (const Elf64_Sym *)at;
        else if (d->d_tag == DT_STRTAB)
            v->names = (const char *)at;
        else if (d->d_tag == DT_HASH)
            v->nsymbols = ((const uint32_t *)at)[1];
    }
}

/* The number of symbols comes from DT_HASH, or else from the section table: every vdso has one of
 * the two. */
static void count_symbols(struct vdso *v, const Elf64_Ehdr *e)
{
    const Elf64_Shdr *s = (const Elf64_Shdr *)((uintptr_t)e + e->e_shoff);

    for (unsigned i = 0; v->nsymbols == 0 && e->e_shoff != 0 && i < e->e_shnum; i++)
        if (s[i].sh_type == SHT_DYNSYM)
            v->nsymbols = (uint32_t)(s[i].sh_size / sizeof(Elf64_Sym));
}

static bool find_vdso(struct vdso *v)
{
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
    const Elf64_Phdr *p = (const Elf64_Phdr *)((uintptr_t)e + (e != NULL ? e->e_phoff : 0));
    const Elf64_Dyn *dynamic = NULL;

    if (e == NULL)
        return false;
    for (unsigned i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_LOAD) {
            v->base = (uintptr_t)e - p[i].p_vaddr + p[i].p_offset;
            v->lo = HD_PAGE_FLOOR((uintptr_t)e);
            v->hi = HD_PAGE_CEIL(v->base + p[i].p_vaddr + p[i].p_memsz);
        }
    for (unsigned i = 0; i < e->e_phnum; i++)
        if (p[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(v->base + p[i].p_vaddr);
    if (dynamic != NULL)
        find_tables(v, dynamic);
    count_symbols(v, e);
    return v->symbols != NULL && v->names != NULL && v->nsymbols != 0;
}

static bool is_called(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

/* Writes "mov $call, %eax; syscall; ret".  The vdso's getrandom has a special call, with ~0 as its
 * last argument, that asks for the size of its state; the stub answers -ENOSYS to it. */
static unsigned make_stub(unsigned char *to, unsigned call)
{
    static const unsigned char asked[] = { 0x49, 0x83, 0xf8, 0xff, /* cmp $-1, %r8 */
                                           0x75, 0x06,             /* jne over the next two */
                                           0xb8, 0xda, 0xff, 0xff, 0xff, /* mov $-ENOSYS, %eax */
                                           0xc3 };
    unsigned n = 0;

    for (; call == SYS_getrandom && n < sizeof asked; n++)
        to[n] = asked[n];
    to[n++] = 0xb8; /* mov $call, %eax */
    for (unsigned shift = 0; shift < 32; shift += 8)
        to[n++] = (unsigned char)(call >> shift);
    to[n++] = 0x0f, to[n++] = 0x05;
    to[n++] = 0xc3;
    return n;
}

/* Replaces the beginning of a vdso function by the stub.  Returns false if the function is too
 * small. */
static bool lead(const struct vdso *v, const Elf64_Sym *s, unsigned call)
{
    unsigned char stub[STUB];
    unsigned n = make_stub(stub, call);

    if (s->st_size < n)
        return false;
    hd_mem_copy((void *)(v->base + s->st_value), stub, n);
    return true;
}

static bool lead_all(const struct vdso *v)
{
    bool all = true;

    for (uint32_t i = 0; i < v->nsymbols; i++)
        for (unsigned k = 0; k < sizeof functions / sizeof *functions; k++)
            if (v->symbols[i].st_shndx != SHN_UNDEF && is_called(v->names + v->symbols[i].st_name, functions[k].name))
                all &= lead(v, &v->symbols[i], functions[k].call);
    return all;
}

void hd_processor_clock_lead_vdso(void)
{
    struct vdso v = { 0 };

    if (getauxval(AT_SYSINFO_EHDR) == 0)
        return; /* this kernel has no vdso */
    bool led = find_vdso(&v) && hd_sys(SYS_mprotect, v.lo, v.hi - v.lo, PROT_READ | PROT_WRITE | PROT_EXEC) == 0 &&
               lead_all(&v);

    if (v.hi > v.lo)
        hd_sys(SYS_mprotect, v.lo, v.hi - v.lo, PROT_READ | PROT_EXEC);
    if (!led)
        hd_uncontrolled("the kernel's own functions for the time (vdso) cannot be replaced: clocks may show "
                        "real time");
}
