/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.c - the way in: __libc_start_main is ours, so that constructors run as
 * usual and the whole of main becomes one function that can be run again.
 *
 * Our own rtld_fini is passed on: the real exit runs every handler and comes
 * back here last, instead of ending the process.  ld.so's is never called: it
 * would mark objects as finalised in memory that is not restored. */
#include "runtime/worker/start.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/signal.h"
#include "runtime/core/exit.h"
#include "runtime/core/fiber.h"
#include "runtime/core/mem.h"
#include "runtime/core/real.h"
#include "runtime/core/thread.h"
#include "runtime/hooks/imports.h"
#include "runtime/hooks/library_atomics.h"
#include "runtime/hooks/unseen_probe.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/maps.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/watch/openmp.h"
#include "runtime/watch/unseen_sections.h"
#include "runtime/worker/early_threads.h"
#include "runtime/worker/worker.h"

struct hd_rt hd __attribute__((visibility("hidden")));
struct hd_entry_regs hd_entry __attribute__((visibility("hidden")));

static int (*program_main)(int, char **, char **);
static int program_argc;
static char **program_argv;
static ElfW(auxv_t) *auxiliary;
static uintptr_t own_base, libc_base, libc_lo, libc_hi;
uintptr_t hd_start_loader_lo, hd_start_loader_bytes;
static int wire_fd = -2; /* -2: not looked up yet; -1: not under Heddle */
static uint32_t worker;  /* whose wire it is */

/* ---- under Heddle? ---------------------------------------------------------- */

/* Reads a number and passes over it; -1 when there is none. */
static int parse_number(const char **text)
{
    int v = 0;

    if (**text < '0' || **text > '9')
        return -1;
    for (; **text >= '0' && **text <= '9'; ++*text)
        v = v * 10 + (**text - '0');
    return v;
}

/* "descriptor:worker"; the descriptor, or -1. */
static int parse_wire(const char *text)
{
    int fd = parse_number(&text);
    int number = *text == ':' ? (text++, parse_number(&text)) : -1;

    worker = (uint32_t)number;
    return number >= 0 && number < HD_MAX_WORKERS ? fd : -1;
}

static bool begins_with(const char *s, const char *prefix)
{
    while (*prefix != '\0')
        if (*s++ != *prefix++)
            return false;
    return true;
}

/* From /proc, as the first allocation may come before libc knows environ.  The
 * variable is put first by the conductor, so a short read is enough. */
static int look_up_wire(void)
{
    static char buf[4096];
    long fd = hd_sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/environ", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    int found = -1;
    long n = 0, got;

    if (fd < 0)
        return -1;
    /* Keep the tail of the last piece, so that no variable is cut in two. */
    while (found < 0 && (got = hd_sys(SYS_read, fd, buf + n, (long)sizeof buf - 1 - n)) > 0) {
        n += got;
        buf[n] = '\0';
        for (long i = 0; i < n; i++)
            if ((i == 0 || buf[i - 1] == '\0') && begins_with(buf + i, HD_WIRE_ENV "="))
                found = parse_wire(buf + i + sizeof HD_WIRE_ENV);
        if (n > 2048) {
            hd_mem_copy(buf, buf + n - 64, 64);
            n = 64;
        }
    }
    hd_sys(SYS_close, fd, 0, 0);
    return found;
}

bool hd_start_under_heddle(void)
{
    if (HD_UNLIKELY(wire_fd == -2)) {
        wire_fd = look_up_wire();
        if (wire_fd >= 0)
            hd_maps_before_constructors();
    }
    return wire_fd >= 0;
}

/* The runtime needs libc only, so this comes before the constructors of all that is
 * instrumented. */
__attribute__((constructor(101))) static void look_early(void)
{
    hd_start_under_heddle();
}

/* ---- where things are ---------------------------------------------------------- */

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
    hd_start_loader_lo = base;
    hd_start_loader_bytes = hi - base;
}

bool hd_start_in_loader(uintptr_t pc)
{
    if (HD_UNLIKELY(hd_start_loader_bytes == 0))
        find_loader();
    return pc - hd_start_loader_lo < hd_start_loader_bytes;
}

bool hd_start_is_own_or_loader(uintptr_t bias)
{
    return bias == own_base || (hd_start_loader_lo != 0 && bias == hd_start_loader_lo);
}

bool hd_start_is_libc(uintptr_t bias)
{
    return bias == libc_base;
}

bool hd_start_in_libc(uintptr_t pc)
{
    return pc - libc_lo < libc_hi - libc_lo;
}

static void find_own(void)
{
    Dl_info info;

    HD_INVARIANT(dladdr((void *)HD_REAL(exit), &info) != 0, "libc not found");
    libc_base = (uintptr_t)info.dli_fbase;

    HD_INVARIANT(dladdr((void *)hd_start_is_own_or_loader, &info) != 0, "own module not found");
    own_base = (uintptr_t)info.dli_fbase;
}

void hd_start_argument_area(uintptr_t *lo, uintptr_t *hi)
{
    ElfW(auxv_t) *a = auxiliary;

    *lo = (uintptr_t)program_argv;
    *hi = (uintptr_t)a;
    for (; a->a_type != AT_NULL; a++)
        if (a->a_type == AT_EXECFN) { /* the last string, at the end of the stack */
            const char *s = (const char *)a->a_un.a_val;

            while (*s != '\0')
                s++;
            *hi = (uintptr_t)s + 1;
        }
}

void hd_start_main_tls(uintptr_t *lo, uintptr_t *hi)
{
    void (*info)(size_t *, size_t *) =
        (void (*)(size_t *, size_t *))dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
    const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    uintptr_t tcb = hd_fiber_self(0);
    size_t bytes = 0, align = 0;

    HD_INVARIANT(info != NULL && size != NULL, "this libc does not tell the size of its TLS");
    info(&bytes, &align); /* includes the TCB */
    *lo = tcb + *size - bytes;
    *hi = tcb + *size;
}

/* ---- the modules, for the report and for names ----------------------------------- */

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

/* Does the object import the instrumentation's entry points? */
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

            if (begins_with(str + sym[ELF64_R_SYM(r->r_info)].st_name, "__tsan_func_entry"))
                return true;
        }
    return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct hd_wire *w = arg;
    struct hd_module *m = &w->modules[w->nmodules];

    (void)size;
    if (w->nmodules == HD_MAX_MODULES)
        return 0;
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
    if (hd_start_is_libc(m->bias)) {
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

bool hd_start_is_instrumented(uint64_t pc)
{
    static uint64_t lo, hi; /* of the last one that is */
    const struct hd_wire *w = hd.wire;

    if (HD_LIKELY(pc - lo < hi - lo))
        return true;
    for (uint32_t i = 0; i < w->nmodules; i++)
        if (w->modules[i].instrumented && pc >= w->modules[i].lo && pc < w->modules[i].hi) {
            lo = w->modules[i].lo;
            hi = w->modules[i].hi;
            return true;
        }
    return false;
}

static const struct hd_module *module_of(uint64_t pc)
{
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        if (pc - w->modules[i].lo < w->modules[i].hi - w->modules[i].lo)
            return &w->modules[i];
    return NULL;
}

const char *hd_start_file(uint64_t pc)
{
    const struct hd_module *m = module_of(pc);
    const char *name = m != NULL ? m->path : "code of no file";

    for (const char *s = name; m != NULL && *s != '\0'; s++)
        name = *s == '/' ? s + 1 : name;
    return name;
}

uint64_t hd_start_offset(uint64_t pc)
{
    const struct hd_module *m = module_of(pc);

    return m != NULL ? pc - m->bias : pc;
}

const char *hd_start_openmp(void)
{
    static const char *const names[] = { "libgomp.so", "libomp.so", "libiomp5.so" };
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strstr(w->modules[i].path, names[k]) != NULL)
                return names[k];
    return NULL;
}

bool hd_start_is_openmp(uintptr_t bias)
{
    const char *library = hd_start_openmp();
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

bool hd_start_has_code_on_stacks(void)
{
    return dl_iterate_phdr(needs_code_on_stack, NULL) != 0;
}

bool hd_start_is_module(uintptr_t addr)
{
    const struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->nmodules; i++)
        if (addr >= HD_PAGE_FLOOR(w->modules[i].lo) && addr < HD_PAGE_CEIL(w->modules[i].hi))
            return true;
    return false;
}

bool hd_start_is_cplusplus(uint64_t pc)
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

/* ---- the way in -------------------------------------------------------------------- */

static void *throw_away(void *unused)
{
    HD_REAL(pthread_exit)(unused);
    return NULL;
}

/* The first pthread_exit makes libc load its unwinder: do it before the snapshot.  On memory of ours:
 * libc would keep a stack of its own for later, and write into it. */
static void prime_unwinder(void)
{
    enum { STACK = 256 * 1024 };
    pthread_attr_t attr;
    pthread_t t;
    void *stack = hd_mem_map_stack(STACK);

    hd_jump_find();
    HD_INVARIANT(stack != NULL, "no memory for a stack");
    HD_REAL(pthread_attr_init)(&attr);
    HD_REAL(pthread_attr_setstack)(&attr, stack, STACK);
    if (HD_REAL(pthread_create)(&t, &attr, throw_away, NULL) == 0)
        HD_REAL(pthread_join)(t, NULL);
    HD_REAL(pthread_attr_destroy)(&attr);
    hd_sys(SYS_munmap, stack, STACK, 0);
}

/* libc maps the files of a locale when a program asks for it, and keeps them.  Let it keep that of the
 * environment, which programs ask for first of all, from before the snapshot: what an execution maps
 * would stay although libc has forgotten it, again in each. */
static void prime_locale(void)
{
    char before[256];
    static const char *const users[] = { "setlocale", "newlocale", "__newlocale", NULL };

    if (!hd_imports_may(users))
        return; /* about a dozen mappings less, which every fork would copy */
    const char *now = setlocale(LC_ALL, NULL);
    int error = errno;
    wchar_t wide;

    if (now == NULL || strlen(now) >= sizeof before)
        return;
    strcpy(before, now);
    if (setlocale(LC_ALL, "") != NULL && mbtowc(&wide, "a", 1) == 1)
        mbtowc(NULL, NULL, 0);
    setlocale(LC_ALL, before);
    errno = error;
}

void *hd_start_main_fiber(void *unused)
{
    (void)unused;
    if (hd.cfg->study)
        hd_early_thread_start_eagerly();
    hd_exit_run(program_main(program_argc, program_argv, environ), 0);
}

/* What the kernel has drawn for this process must not show in an execution: the
 * bytes behind AT_RANDOM, and the stack protector's value made from them.  No
 * frame that is checked against the old value ever returns. */
static void forget_randomness(void)
{
    unsigned char *bytes = (unsigned char *)getauxval(AT_RANDOM);

    for (int i = 0; bytes != NULL && i < 16; i++)
        bytes[i] = (unsigned char)(0x51 + 7 * i);
    __asm__ volatile("movq %0, %%fs:0x28" : : "r"(UINT64_C(0x6865646c6532a700)) : "memory");
}

static void run_campaign(void)
{
    hd_worker_run();
}

/* Called by libc in place of main: everything is initialised, main has not run. */
static int take_over(int argc, char **argv, char **envp)
{
    enum { HOME_STACK = 1 << 20 };

    (void)envp;
    program_argc = argc;
    program_argv = argv;
    hd_process_make_room();
    find_own();
    hd_real_find_all();
    hd.wire->nmodules = 0;
    dl_iterate_phdr(add_module, hd.wire);
    hd_maps_keep_constructed();
    prime_unwinder();
    prime_locale();
    forget_randomness();
    hd_processor_clock_lead_vdso();
    hd_early_thread_settle();
    hd_heap_open();
    hd_exit_init();
    hd_stdio_init();
    hd_openmp_init();
    hd_environment_init();
    hd_signal_init();
    hd_thread_ends_init();
    hd_cancel_init();
    hd_keys_init();
    hd_attributes_init();
    hd_unseen_sections_init();
    hd_locked_init();
    hd_probe_init();
    hd_fiber_init();
    hd_fiber_provide(1); /* from here on libc knows that the program has threads */
    char *home = hd_mem_map_stack(HOME_STACK);

    HD_INVARIANT(home != NULL, "no memory for the scheduler's stack");
    hd_run_on(home + HOME_STACK - 64, run_campaign);
}

/* What the conductor has put at the end of the environment, from its own variable
 * on, is not for programs that this one may start: they run natively. */
static void hide_from_children(char **envp)
{
    char **to = envp, **end = envp;

    while (*end != NULL)
        end++;
    auxiliary = (ElfW(auxv_t) *)(end + 1);
    while (*to != NULL && !begins_with(*to, HD_WIRE_ENV "="))
        to++;
    for (char **from = to; from < end; from++) {
        bool list = begins_with(*from, "LD_PRELOAD=") || begins_with(*from, "LD_LIBRARY_PATH=");
        char *value = *from, *rest;

        while (list && value[-1] != '=')
            value++;
        for (rest = value; list && *rest != '\0' && *rest != ':'; rest++)
            ;
        if (!list || *rest == '\0')
            continue;
        do /* the user's own part stays */
            *value++ = *++rest;
        while (*rest != '\0');
        *to++ = *from;
    }
    *to = NULL;
}

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* Constructors of libraries run before __libc_start_main does, and may need it. */
bool hd_start_attach(void)
{
    if (!hd_start_under_heddle())
        return false;
    if (hd.wire != NULL)
        return true;
    hd.wire = hd_wire_attach(wire_fd, worker);
    HD_INVARIANT(hd.wire != NULL, "the conductor's memory does not fit this runtime");
    hd.exec = &hd.wire->exec;
    hd.cfg = &hd.wire->config;
    return true;
}

HD_EXPORT int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void),
                                void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_fn *real = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

    HD_INVARIANT(real != NULL, "no __libc_start_main");
    if (!hd_start_attach())
        return real(main, argc, argv, init, fini, rtld_fini, stack_end);
    hide_from_children(argv + argc + 1);
    hd_sys(SYS_close, wire_fd, 0, 0);
    program_main = main;
    return real(take_over, argc, argv, init, fini, hd_exit_last, stack_end);
}
