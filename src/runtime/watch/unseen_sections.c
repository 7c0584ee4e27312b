/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_sections.c - which calls leave instrumented code, and the stubs that record them.
 *
 * A stub replaces the function's address in the loader's tables.  It ends with a jump, so the
 * function finds registers, stack and return address unchanged. */

#include "runtime/watch/unseen_sections.h"

#include <sys/mman.h>

#include "base/check.h"
#include "runtime/core/imports.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

enum { MAX_STUBS = 8192 };

/* movabs $stub, %r11; jmp *note(%r11) */
struct stub {
    uint8_t movabs[2];
    uint8_t self[8];
    uint8_t jump[4];
    uint8_t pad[2];
    uint64_t target;
    uint64_t note;
};

_Static_assert(offsetof(struct stub, target) == 16 && offsetof(struct stub, note) == 24,
               "hd_unseen_sections_note and the code in a stub know these");
_Static_assert(offsetof(struct hd_rt, cur) == 0, "hd_unseen_sections_note knows this");

static struct stub *stubs;
static uint32_t nstubs;
static bool blind; /* the program may call anything (dlsym) */

/* ---- functions without stubs ---------------------------------------------------------- */

/* A name that ends with * matches all names with that prefix. */
static const char *const harmless[] = {
    /* functions that announce their accesses: hooks/memory.c, hooks/string.c, restore/heap.c */
    "__tsan_*", "memcpy", "memmove", "memset", "mempcpy", "memcmp", "memchr", "memrchr", "rawmemchr",
    "__memcpy_chk", "__memmove_chk", "__memset_chk", "__mempcpy", "__mempcpy_chk", "__rawmemchr",
    "bcopy", "bcmp", "bzero", "__memcmpeq", "explicit_bzero", "__explicit_bzero_chk",
    "strlen", "strnlen", "strcpy", "strncpy", "stpcpy", "stpncpy", "strcat", "strncat", "strcmp",
    "strncmp", "strchr", "strrchr", "strchrnul", "strstr", "index", "rindex", "strdup", "strndup",
    "__strcpy_chk", "__strncpy_chk", "__stpcpy", "__stpcpy_chk", "__stpncpy", "__stpncpy_chk",
    "__strcat_chk", "__strncat_chk", "__strdup", "__strndup",
    "malloc", "calloc", "free", "realloc", "aligned_alloc", "memalign",
    "_Znw*", "_Zna*", "_Zdl*", "_Zda*",
    /* operations that touch no memory except their object */
    "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_trylock", "pthread_mutex_init",
    "pthread_mutex_destroy", "pthread_cond_wait", "pthread_cond_signal", "pthread_cond_broadcast",
    "pthread_cond_init", "pthread_cond_destroy", "pthread_rwlock_*", "pthread_spin_*",
    "pthread_once", "pthread_self", "pthread_equal", "pthread_exit", "pthread_detach",
    "pthread_getspecific", "pthread_setspecific", "pthread_testcancel", "pthread_barrier_wait",
    "sem_wait", "sem_trywait", "sem_post", "sem_init", "sem_destroy", "sched_yield", "__sched_yield",
    "mtx_lock", "mtx_unlock", "mtx_trylock", "mtx_init", "mtx_destroy", "cnd_wait", "cnd_signal",
    "cnd_broadcast", "cnd_init", "cnd_destroy", "call_once", "thrd_yield", "thrd_current",
    "thrd_exit", "_ZNSt18condition_variable*", "heddle_*",
    "rand", "srand", "random", "srandom", "exit", "_exit", "abort", "__assert_fail",
    "sleep", "usleep", "puts", "putchar",
    /* no effect that other threads can see */
    "__errno_location", "__tls_get_addr", "__stack_chk_fail", "__cxa_*", "__gxx_*", "_Unwind_*",
    "_ZSt9terminatev", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "tolower",
    "toupper", "getpid", "gettid", "sin", "cos", "tan", "exp", "log", "log2", "log10", "pow", "sqrt",
    "floor", "ceil", "fabs", "fmod", "round", "__libc_start_main", NULL,
};

static bool fits(const char *name, const char *pattern)
{
    while (*name != '\0' && *name == *pattern)
        name++, pattern++;
    return *pattern == '*' || *name == *pattern;
}

static bool is_harmless(const char *name)
{
    for (const char *const *p = harmless; *p != NULL; p++)
        if (fits(name, *p))
            return true;
    return false;
}

static bool finds_functions(const char *name)
{
    return hd_imports_is_same(name, "dlsym") || hd_imports_is_same(name, "dlvsym");
}

/* ---- stubs ----------------------------------------------------------------------------- */

/* A call preserves neither flags nor r11, so the stub may change them. */
void hd_unseen_sections_note(void);
__asm__(".pushsection .text\n"
        ".hidden hd_unseen_sections_note\n"
        ".globl hd_unseen_sections_note\n"
        ".type hd_unseen_sections_note,@function\n"
        ".p2align 4\n"
        "hd_unseen_sections_note:\n"
        ".cfi_startproc\n"
        "  pushq %rax\n"
        ".cfi_adjust_cfa_offset 8\n"
        "  movq hd(%rip), %rax\n"
        "  testq %rax, %rax\n"
        "  je 1f\n"
        "  cmpq $0, hd_unseen_sections_locks_at(%rax)\n"
        "  je 1f\n"
        "  movb $1, hd_unseen_sections_called_at(%rax)\n"
        "1:\n"
        "  popq %rax\n"
        ".cfi_adjust_cfa_offset -8\n"
        "  jmp *16(%r11)\n"
        ".cfi_endproc\n"
        ".size hd_unseen_sections_note, .-hd_unseen_sections_note\n"
        ".popsection\n");

/* Defines the offsets of the fields for the assembler. */
static __attribute__((used)) void tell_offsets(void)
{
    __asm__ volatile(".set hd_unseen_sections_locks_at, %c0\n"
                     ".set hd_unseen_sections_called_at, %c1\n"
                     :
                     : "i"(offsetof(struct hd_thread, locks)),
                       "i"(offsetof(struct hd_thread, watch.called_outside)));
}

/* Returns the stub for the function at target.  There is one per function, since programs compare
 * function addresses. */
static struct stub *stub_for(uint64_t target)
{
    static const struct stub model = { .movabs = { 0x49, 0xbb }, .jump = { 0x41, 0xff, 0x63, 0x18 } };

    for (uint32_t i = 0; i < nstubs; i++)
        if (stubs[i].target == target)
            return &stubs[i];
    if (nstubs == MAX_STUBS)
        return NULL;
    struct stub *s = &stubs[nstubs++];
    uint64_t self = (uintptr_t)s;

    *s = model;
    hd_mem_copy(s->self, &self, sizeof self);
    s->target = target;
    s->note = (uintptr_t)hd_unseen_sections_note;
    return s;
}

struct place {
    uintptr_t addr;
    bool code, read_only; /* properties of the segment */
};

static int find_place(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct place *p = arg;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t lo = info->dlpi_addr + h->p_vaddr, hi = lo + h->p_memsz;

        if (h->p_type == PT_LOAD && (h->p_flags & PF_X) && p->addr >= lo && p->addr < hi)
            p->code = true;
        if (h->p_type == PT_GNU_RELRO && p->addr >= lo && p->addr < HD_PAGE_FLOOR(hi))
            p->read_only = true;
    }
    return 0;
}

static struct place place_of(uintptr_t addr)
{
    struct place p = { .addr = addr };

    dl_iterate_phdr(find_place, &p);
    return p;
}

/* The loader has made most import tables read-only. */
static void put(uint64_t *where, uint64_t value)
{
    bool read_only = place_of((uintptr_t)where).read_only;
    uintptr_t page = HD_PAGE_FLOOR((uintptr_t)where);

    if (read_only)
        hd_mem_protect(page, page + HD_PAGE, PROT_READ | PROT_WRITE);
    *where = value;
    if (read_only)
        hd_mem_protect(page, page + HD_PAGE, PROT_READ);
}

static void lead_through(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *unused)
{
    uint64_t type = ELF64_R_TYPE(at->r_info), *where = (uint64_t *)(bias + at->r_offset);

    (void)unused;
    if (!hd_program_is_instrumented((uintptr_t)where))
        return;
    blind |= finds_functions(name);
    if ((type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT && type != R_X86_64_64) ||
        at->r_addend != 0 || is_harmless(name) || *where == 0 || hd_program_is_instrumented(*where) ||
        !place_of(*where).code)
        return;
    struct stub *s = stub_for(*where);

    if (s != NULL)
        put(where, (uintptr_t)s);
    blind |= s == NULL;
}

void hd_unseen_sections_init(void)
{
    enum { BYTES = MAX_STUBS * sizeof *stubs };

    if (hd.cfg->points != HD_POINTS_EVERY)
        return;
    stubs = hd_mem_map(0, BYTES, PROT_READ | PROT_WRITE);
    HD_INVARIANT(stubs != NULL, "no memory for calls of other libraries");
    hd_imports_each(lead_through, NULL);
    hd_mem_protect((uintptr_t)stubs, (uintptr_t)stubs + BYTES, PROT_READ | PROT_EXEC);
}

/* ---- sections -------------------------------------------------------------------------- */

/* True if Heddle sees everything that happens in the section.  That is not so for a stream's lock, under which
 * libc uses the stream.  libstdc++ may call the condition wait on behalf of the program. */
static bool is_seen_whole(const struct hd_obj *mutex, const struct hd_event *e)
{
    bool ends = e->kind == HD_EV_COND_WAIT ? hd_program_is_targets(e->pc) : hd_program_is_instrumented(e->pc);

    return !blind && !hd.cur->watch.called_outside && mutex->type == HD_OBJ_MUTEX && ends &&
           hd_program_is_targets(mutex->pc);
}

/* The mutex's own memory represents the data that the mutex protects, because no access of the program uses it. */
void hd_unseen_sections_ended(const struct hd_obj *mutex, const struct hd_event *e)
{
    uintptr_t unit = mutex->addr & ~UINT64_C(3);

    hd_touch_unit(hd_object((const void *)unit, HD_OBJ_MEMORY), !is_seen_whole(mutex, e), e->pc);
    if (hd.cur->locks == 0)
        hd.cur->watch.called_outside = 0;
}
