/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.c - the address ranges and properties of the program and its libraries. */
#include "runtime/core/program.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/fiber.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

static char **arguments;
static const ElfW(auxv_t) *auxiliary;
static uintptr_t own_base, libc_base, libc_lo, libc_hi;
uintptr_t hd_program_loader_lo, hd_program_loader_bytes;

/* ---- address ranges -------------------------------------------------------------- */

static void find_loader(void)
{
    uintptr_t base = getauxval(AT_BASE);

    if (base == 0)
        return;
    const ElfW(Ehdr) *eh = (const ElfW(Ehdr) *)base;
    const ElfW(Phdr) *ph = (const ElfW(Phdr) *)(base + eh->e_phoff);
    uintptr_t hi = base;

    for (int i = 0; i < eh->e_phnum; i++)
        if (ph[i].p_type == PT_LOAD && base + ph[i].p_vaddr + ph[i].p_memsz > hi)
            hi = base + ph[i].p_vaddr + ph[i].p_memsz;
    hd_program_loader_lo = base;
    hd_program_loader_bytes = hi - base;
}

bool hd_program_in_loader(uintptr_t pc)
{
    if (HD_UNLIKELY(hd_program_loader_bytes == 0))
        find_loader();
    return pc - hd_program_loader_lo < hd_program_loader_bytes;
}

bool hd_program_is_own_or_loader(uintptr_t bias)
{
    return bias == own_base || (hd_program_loader_lo != 0 && bias == hd_program_loader_lo);
}

bool hd_program_is_libc(uintptr_t bias)
{
    return bias == libc_base;
}

bool hd_program_in_libc(uintptr_t pc)
{
    return pc - libc_lo < libc_hi - libc_lo;
}

void hd_program_find(char **argv, const ElfW(auxv_t) *auxv)
{
    Dl_info info;

    HD_INVARIANT(dladdr((void *)HD_REAL(exit), &info) != 0, "libc not found");
    libc_base = (uintptr_t)info.dli_fbase;

    HD_INVARIANT(dladdr((void *)hd_program_is_own_or_loader, &info) != 0, "own module not found");
    own_base = (uintptr_t)info.dli_fbase;
    arguments = argv;
    auxiliary = auxv;
}

void hd_program_argument_area(uintptr_t *lo, uintptr_t *hi)
{
    const ElfW(auxv_t) *a = auxiliary;

    *lo = (uintptr_t)arguments;
    *hi = (uintptr_t)a;
    for (; a->a_type != AT_NULL; a++)
        if (a->a_type == AT_EXECFN) { /* its string is the last one, at the end of the stack */
            const char *s = (const char *)a->a_un.a_val;

            while (*s != '\0')
                s++;
            *hi = (uintptr_t)s + 1;
        }
}

void hd_program_main_tls(uintptr_t *lo, uintptr_t *hi)
{
    void (*info)(size_t *, size_t *) =
        (void (*)(size_t *, size_t *))dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
    const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    uintptr_t tcb = hd_fiber_self(0);
    size_t bytes = 0, align = 0;

    HD_INVARIANT(info != NULL && size != NULL, "this libc does not tell the size of its TLS");
    info(&bytes, &align); /* the size includes the TCB */
    *lo = tcb + *size - bytes;
    *hi = tcb + *size;
}

/* ---- the list of modules, for reports and for names ------------------------------ */

static uint32_t nat_start; /* modules before main */
static bool loads;

static void note_build_id(struct hd_module *m, uintptr_t at, size_t n)
{
    for (uintptr_t end = at + n; at + sizeof(ElfW(Nhdr)) <= end;) {
        const ElfW(Nhdr) *nh = (const ElfW(Nhdr) *)at;
        uintptr_t name = at + sizeof *nh;
        uintptr_t desc = name + ((nh->n_namesz + 3u) & ~3u);

        if (nh->n_type == NT_GNU_BUILD_ID && nh->n_descsz <= sizeof m->build_id) {
            hd_mem_copy(m->build_id, (void *)desc, nh->n_descsz);
            m->build_id_len = nh->n_descsz;
            return;
        }
        at = desc + ((nh->n_descsz + 3u) & ~3u);
    }
}

/* Returns true if the object imports the entry points of the instrumentation. */
static bool imports_tsan(const struct dl_phdr_info *info, const ElfW(Dyn) *dyn)
{
    const ElfW(Sym) *sym = NULL;
    const char *str = NULL;
    uintptr_t rela[2] = { 0, 0 };
    size_t bytes[2] = { 0, 0 };

    for (; dyn->d_tag != DT_NULL; dyn++) {
        if (dyn->d_tag == DT_SYMTAB)
            sym = (const ElfW(Sym) *)dyn->d_un.d_ptr;
        else if (dyn->d_tag == DT_STRTAB)
            str = (const char *)dyn->d_un.d_ptr;
        else if (dyn->d_tag == DT_JMPREL)
            rela[0] = dyn->d_un.d_ptr;
        else if (dyn->d_tag == DT_PLTRELSZ)
            bytes[0] = dyn->d_un.d_val;
        else if (dyn->d_tag == DT_RELA)
            rela[1] = dyn->d_un.d_ptr;
        else if (dyn->d_tag == DT_RELASZ)
            bytes[1] = dyn->d_un.d_val;
    }
    if (sym == NULL || str == NULL || (uintptr_t)str < info->dlpi_addr)
        return false;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; rela[k] != 0 && i < bytes[k] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *r = (const ElfW(Rela) *)rela[k] + i;

            if (hd_begins_with(str + sym[ELF64_R_SYM(r->r_info)].st_name, "__tsan_func_entry"))
                return true;
        }
    return false;
}

static void describe(struct hd_module *m, const struct dl_phdr_info *info)
{
    *m = (struct hd_module){ .bias = info->dlpi_addr, .lo = UINT64_MAX };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + ph->p_vaddr;

        if (ph->p_type == PT_NOTE)
            note_build_id(m, at, ph->p_memsz);
        if (ph->p_type == PT_DYNAMIC)
            m->instrumented = imports_tsan(info, (const ElfW(Dyn) *)at);
        if (ph->p_type != PT_LOAD)
            continue;
        m->lo = at < m->lo ? at : m->lo;
        m->hi = at + ph->p_memsz > m->hi ? at + ph->p_memsz : m->hi;
    }
}

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct hd_wire *w = arg;
    struct hd_module *m = &w->modules[w->nmodules];

    (void)size;
    if (w->nmodules == HD_MAX_MODULES)
        return 0;
    describe(m, info);
    if (hd_program_is_libc(m->bias)) {
        libc_lo = m->lo;
        libc_hi = m->hi;
    }
    if (w->nmodules == 0) {
        long n = hd_sys(SYS_readlink, "/proc/self/exe", m->path, sizeof m->path - 1);

        m->path[n > 0 ? n : 0] = '\0';
    } else {
        hd_format(m->path, sizeof m->path, "%s", info->dlpi_name);
    }
    w->nmodules++;
    return 0;
}

void hd_program_note_modules(void)
{
    hd.wire->nmodules = 0;
    dl_iterate_phdr(add_module, hd.wire);
    nat_start = hd.wire->nmodules;
}

/* Stores the absolute path of a module, which the program may have loaded by a relative name. */
static void put_path(struct hd_module *m, const char *name)
{
    char directory[sizeof m->path];

    if (name[0] == '/' || hd_sys(SYS_getcwd, directory, sizeof directory, 0) <= 0)
        hd_format(m->path, sizeof m->path, "%s", name);
    else
        hd_format(m->path, sizeof m->path, "%s/%s", directory, hd_begins_with(name, "./") ? name + 2 : name);
}

/* Adds a library that was loaded at run time.  A library has the same number in all executions, because names of
 * objects contain it.  Libraries of earlier executions lose their address ranges to those that are loaded there
 * now. */
static void add_late(const struct hd_module *new)
{
    struct hd_wire *w = hd.wire;
    uint32_t at = nat_start;

    while (at < w->nmodules && strcmp(w->modules[at].path, new->path) != 0)
        at++;
    if (at == HD_MAX_MODULES)
        return;
    for (uint32_t i = nat_start; i < w->nmodules; i++)
        if (w->modules[i].lo < new->hi && new->lo < w->modules[i].hi)
            w->modules[i].lo = w->modules[i].hi = 0;
    w->modules[at] = *new;
    if (at == w->nmodules)
        __atomic_store_n(&w->nmodules, at + 1, __ATOMIC_RELEASE);
}

/* dlpi_adds counts the objects that the loader has ever loaded. */
static int look_late(struct dl_phdr_info *info, size_t size, void *arg)
{
    static unsigned long long looked_at;
    unsigned *number = arg;
    struct hd_module new;

    (void)size;
    if (*number == 0 && looked_at == info->dlpi_adds)
        return 1;
    looked_at = info->dlpi_adds;
    if ((*number)++ < nat_start)
        return 0;
    describe(&new, info);
    put_path(&new, info->dlpi_name);
    add_late(&new);
    return 0;
}

void hd_program_loads(void)
{
    loads = true;
}

bool hd_program_look_at_loaded(void)
{
    static bool looks; /* the functions called here may ask for modules again */
    uint32_t before = hd.wire->nmodules;
    unsigned number = 0;

    if (HD_LIKELY(!loads) || looks)
        return false;
    looks = true;
    dl_iterate_phdr(look_late, &number);
    looks = false;
    return hd.wire->nmodules != before;
}

uint64_t hd_program_layout(void)
{
    const struct hd_wire *w = hd.wire;
    uintptr_t lo, hi;

    hd_program_argument_area(&lo, &hi);
    uint64_t h = hd_hash_mix(lo, hi);

    for (uint32_t i = 0; i < w->nmodules; i++) {
        const struct hd_module *m = &w->modules[i];

        h = hd_hash_mix(hd_hash_mix(hd_hash_mix(h, m->bias), m->lo), m->hi);
        h = hd_hash_bytes(h, m->path, strlen(m->path));
    }
    return h | 1;
}

bool hd_program_is_instrumented(uint64_t pc)
{
    static uint64_t lo, hi; /* range of the instrumented module found last */
    const struct hd_wire *w = hd.wire;

    if (HD_LIKELY(pc - lo < hi - lo))
        return true;
    for (uint32_t i = 0; i < w->nmodules; i++)
        if (w->modules[i].instrumented && pc >= w->modules[i].lo && pc < w->modules[i].hi) {
            lo = w->modules[i].lo;
            hi = w->modules[i].hi;
            return true;
        }
    return hd_program_look_at_loaded() && hd_program_is_instrumented(pc);
}

static const struct hd_module *module_of(uint64_t pc)
{
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        if (pc - w->modules[i].lo < w->modules[i].hi - w->modules[i].lo)
            return &w->modules[i];
    return NULL;
}

const char *hd_program_file(uint64_t pc)
{
    const struct hd_module *m = module_of(pc);
    const char *name = m != NULL ? m->path : "code of no file";

    for (const char *s = name; m != NULL && *s != '\0'; s++)
        name = *s == '/' ? s + 1 : name;
    return name;
}

uint64_t hd_program_offset(uint64_t pc)
{
    const struct hd_module *m = module_of(pc);

    return m != NULL ? pc - m->bias : pc;
}

const char *hd_program_openmp(void)
{
    static const char *const names[] = { "libgomp.so", "libomp.so", "libiomp5.so" };
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strstr(w->modules[i].path, names[k]) != NULL)
                return names[k];
    return NULL;
}

bool hd_program_is_openmp(uintptr_t bias)
{
    const char *library = hd_program_openmp();
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; library != NULL && i < w->nmodules; i++)
        if (w->modules[i].bias == bias)
            return strstr(w->modules[i].path, library) != NULL;
    return false;
}

static int needs_code_on_stack(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_STACK)
            return (info->dlpi_phdr[i].p_flags & PF_X) != 0;
    return 0;
}

bool hd_program_has_code_on_stacks(void)
{
    return dl_iterate_phdr(needs_code_on_stack, NULL) != 0;
}

bool hd_program_is_module(uintptr_t addr)
{
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        if (addr >= HD_PAGE_FLOOR(w->modules[i].lo) && addr < HD_PAGE_CEIL(w->modules[i].hi))
            return true;
    return false;
}

bool hd_program_is_cplusplus(uint64_t pc)
{
    static const char *const names[] = { "/libstdc++.so", "/libc++.so" };
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (pc - w->modules[i].lo < w->modules[i].hi - w->modules[i].lo &&
                strstr(w->modules[i].path, names[k]) != NULL)
                return true;
    return false;
}
