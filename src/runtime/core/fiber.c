/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fiber.c - stacks and donors for logical threads.
 *
 * libc, errno, __thread and the stack protector reach a thread's data through the FS base, so each
 * logical thread needs a real TCB.  A donor provides it: a kernel thread that the real
 * pthread_create made on a stack of the runtime, and that sleeps for ever.  The fiber runs below
 * the donor's frame on the same stack, so that pthread_getattr_np, pthread_exit and gdb see an
 * ordinary thread. */

#include "runtime/core/fiber.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>

#include "base/check.h"
#include "base/rules.h"
#include "base/sys.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/debug.h"
#include "runtime/core/float_modes.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/program.h"
#include "runtime/core/real.h"
#include "runtime/core/selector.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

#define RUNTIME_FRAMES 512 /* room for frames of the runtime and the search below low_sp */
#define FIRST_FRAMES 1280 /* room for the frames of a small thread and of the runtime */
#define SMALL_STACK 4096
#define FAULT_AHEAD (4 * HD_PAGE)

struct donor {
    uint32_t ready;
    uint32_t adopt;
    uint64_t fsbase;
    uintptr_t park_sp;
    uintptr_t start_sp; /* the fiber's frames are below this address */
    uintptr_t hot_lo;   /* stack pages from this one up are writable */
    struct hd_call *calls;
};

static struct donor donors[HD_MAX_THREADS];
static uint64_t home_sp, home_fsbase;
static int code_on_stacks; /* PROT_EXEC if nested functions put trampolines on the stack */
#define STACK_RW (PROT_READ | PROT_WRITE | code_on_stacks)
volatile unsigned char hd_selector = HD_OPEN;
unsigned char hd_selector_of_libc = HD_OPEN;
unsigned char hd_has_fsgsbase __attribute__((visibility("hidden")));

static uintptr_t stack_top(unsigned slot)
{
    return HD_STACK_BASE + (slot + UINT64_C(1)) * HD_STACK_STRIDE;
}

static uint64_t own_fsbase(void)
{
    uint64_t fs;

    __asm__ volatile("movq %%fs:0x10, %0" : "=r"(fs)); /* tcbhead_t.self, glibc's ABI */
    return fs;
}

/* The kernel writes to the registered rseq area at any time.  Main's and the donors' areas lie in
 * memory that the runtime restores, so it unregisters them. */
static void unregister_rseq(void)
{
    extern const ptrdiff_t __rseq_offset __attribute__((weak));
    extern const unsigned __rseq_size __attribute__((weak));

    if (&__rseq_offset == NULL || &__rseq_size == NULL || __rseq_size == 0)
        return;
    hd_sys6(SYS_rseq, (long)(own_fsbase() + (uint64_t)__rseq_offset), 32, 1, 0x53053053, 0, 0);
}

static void *park(void *arg)
{
    struct donor *d = arg;

    d->fsbase = own_fsbase();
    d->park_sp = (uintptr_t)__builtin_frame_address(0);
    unregister_rseq();
    if (hd.cfg->debug)
        hd_debug_donor((unsigned)(d - donors));
    __atomic_store_n(&d->ready, 1, __ATOMIC_RELEASE);
    hd_sys(SYS_futex, &d->ready, FUTEX_WAKE_PRIVATE, 1);
    if (hd.cfg->debug)
        hd_fiber_rest((unsigned)(d - donors));
    for (;;) /* inline system call: an interposed one would run the scheduler here */
        hd_sys6(SYS_futex, (long)&d->adopt, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    return NULL;
}

static void create_donor(void *arg)
{
    unsigned slot = *(unsigned *)arg;
    struct donor *d = &donors[slot];
    /* All signals but SIGSEGV: libc writes to protected pages here. */
    uint64_t all = ~(UINT64_C(1) << (SIGSEGV - 1)), old = 0;
    pthread_attr_t attr;
    pthread_t thread;

    if (hd_mem_map(stack_top(slot) - HD_STACK_SIZE, HD_STACK_SIZE, STACK_RW) == NULL)
        return;
    if (hd.in_main)
        hd_callbacks.heat_libc(); /* libc blocks all signals while it creates a thread */
    HD_REAL(pthread_attr_init)(&attr);
    HD_REAL(pthread_attr_setstack)(&attr, (void *)(stack_top(slot) - HD_STACK_SIZE), HD_STACK_SIZE);
    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&old, 8, 0, 0);
    int rc = HD_REAL(pthread_create)(&thread, &attr, park, d);

    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old, 0, 8, 0, 0);
    HD_REAL(pthread_attr_destroy)(&attr);
    if (rc != 0)
        return;
    while (__atomic_load_n(&d->ready, __ATOMIC_ACQUIRE) == 0)
        hd_sys6(SYS_futex, (long)&d->ready, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

/* Places the first frames low in a page.  A small thread then uses only that part of the page, and
 * only that part must be checked afterwards. */
static void finish_stack(struct donor *d, unsigned slot, uintptr_t page)
{
    d->start_sp = page + FIRST_FRAMES;
    d->hot_lo = page;
    d->calls = (struct hd_call *)d->start_sp;
    d->calls[0] = (struct hd_call){ 0, UINT64_MAX }; /* never popped */
    hd_mem_protect(stack_top(slot) - HD_STACK_SIZE, d->hot_lo, PROT_READ | code_on_stacks);
}

bool hd_fiber_provide(unsigned slot)
{
    struct donor *d = &donors[slot];
    struct hd_thread *cur = hd.cur;

    if (d->start_sp != 0)
        return true;
    hd.cur = NULL; /* R2: libc's work to create a thread is not part of the target */
    if (hd.in_main)
        hd_callbacks.absorb(create_donor, &slot);
    else
        create_donor(&slot);
    hd.cur = cur;
    if (d->ready == 0)
        return false;
    finish_stack(d, slot, HD_PAGE_FLOOR(d->park_sp) - HD_CALLS_BYTES);
    hd_callbacks.stack_made(HD_PAGE_FLOOR(d->park_sp) - HD_PAGE, stack_top(slot), code_on_stacks != 0);
    return true;
}

void hd_fiber_provide_all(void)
{
    struct hd_slot slots[HD_MAX_THREADS];
    unsigned n = hd_common_slots(hd.wire->common, slots);

    for (unsigned slot = 1; slot < n; slot++)
        hd_fiber_provide(slot);
}

void hd_fiber_init(void)
{
    struct donor *d = &donors[0];

    hd_has_fsgsbase = (getauxval(AT_HWCAP2) & 2) != 0 && !hd.cfg->debug; /* see debug.h */
    unregister_rseq();
    code_on_stacks = hd_program_has_code_on_stacks() ? PROT_EXEC : 0;
    HD_INVARIANT(hd_mem_map(stack_top(0) - HD_STACK_SIZE, HD_STACK_SIZE, STACK_RW) != NULL,
                 "the address range of the stacks is taken");
    d->ready = 1;
    d->fsbase = own_fsbase();
    finish_stack(d, 0, stack_top(0) - HD_CALLS_BYTES - HD_PAGE);
    hd.thread = hd_mem_map(0, HD_PAGE_CEIL(HD_MAX_THREADS * sizeof *hd.thread), PROT_READ | PROT_WRITE);
    HD_INVARIANT(hd.thread != NULL, "no memory for threads");
    if (hd.nslots == 0)
        hd.nslots = 1; /* main */
    if (hd.cfg->debug)
        hd_debug_init();
}

/* Tries the next slot first, because threads are mostly created in the order of the first execution. */
unsigned hd_fiber_slot(unsigned parent, unsigned nth)
{
    static unsigned next = 1;
    unsigned slot = next;

    if (slot >= HD_MAX_THREADS || !hd_common_is_slot(hd.wire->common, slot, parent, nth))
        slot = hd_common_slot(hd.wire->common, parent, nth);
    if (slot >= hd.nslots && slot < HD_MAX_THREADS)
        hd.nslots = slot + 1;
    next = slot + 1;
    return slot;
}

uint64_t hd_fiber_self(unsigned slot)
{
    return donors[slot].fsbase;
}

void hd_fiber_prepare(struct hd_thread *t)
{
    struct donor *d = &donors[t->slot];
    uint64_t *frame = (uint64_t *)(d->start_sp - 64 - HD_SAVED_WORDS * 8);

    frame[HD_SAVED_FP] = hd_float_modes(); /* a new thread inherits the floating-point modes */
    frame[HD_SAVED_PC] = (uint64_t)(uintptr_t)hd_fiber_entry;
    t->sp = (uint64_t)(uintptr_t)frame;
    t->fsbase = d->fsbase;
    t->self = d->fsbase;
    t->stack_hi = d->start_sp;
    t->stack_lo = stack_top(t->slot) - HD_STACK_SIZE;
    t->low_sp = (uintptr_t)frame;
    t->calls = d->calls + 1;
}

void hd_fiber_start(struct hd_thread *t)
{
    home_fsbase = donors[0].fsbase;
    hd_fiber_enter(t);
    hd_selector = HD_CLOSED;
    hd_switch(&home_sp, t->sp, t->fsbase);
    hd_selector = HD_OPEN;
}

void hd_fiber_go_home(void)
{
    struct hd_thread *from = hd.cur;

    hd_fiber_leave(from);
    hd.cur = NULL;
    hd_switch(&from->sp, home_sp, home_fsbase);
}

bool hd_fiber_stack_fault(uintptr_t addr)
{
    if (addr < HD_STACK_BASE || addr >= stack_top(HD_MAX_THREADS - 1))
        return false;
    unsigned slot = (unsigned)((addr - HD_STACK_BASE) / HD_STACK_STRIDE);
    struct donor *d = &donors[slot];
    uintptr_t lo = stack_top(slot) - HD_STACK_SIZE;
    uintptr_t page = HD_PAGE_FLOOR(addr);

    if (d->start_sp == 0 || addr < lo || addr >= d->hot_lo)
        return false;
    if (d->hot_lo < HD_PAGE_FLOOR(d->start_sp)) /* not the first fault: the stack will probably grow more */
        page = page - lo > FAULT_AHEAD ? page - FAULT_AHEAD : lo;
    hd_mem_protect(page, d->hot_lo, STACK_RW);
    d->hot_lo = page;
    return true;
}

/* F3: zeroes the used part of the stack, which lies above the lowest stack pointer that the runtime
 * saw.  Code that the runtime did not see may have written below that; if the bytes there are not
 * all zero, zeroes them, too. */
static void clear_stack(const struct hd_thread *t)
{
    const struct donor *d = &donors[t->slot];
    uintptr_t from = (t->low_sp - RUNTIME_FRAMES) & ~UINT64_C(63);

    if (from < d->hot_lo)
        from = d->hot_lo;
    if (d->start_sp - from <= SMALL_STACK)
        hd_mem_zero_lines((void *)from, d->start_sp - from);
    else
        hd_mem_zero((void *)from, d->start_sp - from);
    if (!hd_mem_is_zero((void *)d->hot_lo, from - d->hot_lo))
        hd_mem_zero((void *)d->hot_lo, from - d->hot_lo);
}

/* Not inlined, so that the caller's frame is above the stack pointer and this function has no frame of its own
 * below it. */
__attribute__((noinline)) void hd_tidy_stack(size_t frames)
{
    uintptr_t sp, lo = hd.cur->stack_lo;

    __asm__("movq %%rsp, %0" : "=r"(sp));
    uintptr_t from = (sp - lo > frames ? sp - frames : lo) & ~UINT64_C(63), to = sp & ~UINT64_C(63);

    hd_mem_zero_lines((void *)from, to - from);
    for (; to < sp; to += 8)
        *(volatile uint64_t *)to = 0;
}

void hd_fiber_clear_stacks(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        clear_stack(&hd.thread[i]);
    HD_CHECK(hd_fiber_difference() == 0, "F3: what fibers have not written is zero");
}

uintptr_t hd_fiber_difference(void)
{
    for (unsigned s = 0; s < hd.nslots; s++) {
        const struct donor *d = &donors[s];

        for (uintptr_t at = d->hot_lo; d->start_sp != 0 && at < d->start_sp; at += 64)
            if (!hd_mem_is_zero((const void *)at, 64))
                return at;
    }
    return 0;
}

struct hd_call *hd_fiber_calls(unsigned slot)
{
    return donors[slot].calls;
}

uintptr_t hd_fiber_written_from(unsigned slot)
{
    return donors[slot].hot_lo;
}
