/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fiber.h - logical threads as fibers: stacks, donor TCBs, the switch.
 *
 * F1  The addresses of a slot's stack, TCB and arena depend only on the slot, and the slot only on
 *     the thread's name.  So addresses do not depend on the interleaving.
 * F2  A fiber runs on its donor's stack, below the sleeping donor's frame.  Main runs on the stack
 *     of slot 0 with the process's own TCB.  The shadow call stack grows up from the address from
 *     which the real stack grows down, so the first entries of both are on one page.
 * F3  A page of a fiber's stack that no execution has written reads as zero and is write-protected.
 *     All bytes below the first frame are zero when an execution begins.  (Within an execution the
 *     runtime's own frames leave values there.) */
#ifndef HD_RUNTIME_CORE_FIBER_H
#define HD_RUNTIME_CORE_FIBER_H

#include "runtime/core/call_stack.h"
#include "runtime/core/selector.h"
#include "runtime/core/state.h"

#define HD_STACK_SIZE UINT64_C(0x4000000) /* per thread; memory is committed on first use */
#define HD_CALLS_BYTES UINT64_C(0x2000000)  /* the part above the first frame, for the shadow call stack */
#define HD_STACK_DEFAULT UINT64_C(0x800000) /* the size that pthread_getattr_np reports */

/* Registers that hd_switch saves at the stack pointer of a fiber that does not run, as indexes of
 * 8-byte words. */
enum { HD_SAVED_FP, HD_SAVED_R15, HD_SAVED_R14, HD_SAVED_R13, HD_SAVED_R12, HD_SAVED_RBX,
       HD_SAVED_RBP, HD_SAVED_PC, HD_SAVED_WORDS };

/* Functions in switch_x86_64.S.  hd_switch saves the registers and *save_sp, and continues on another stack.
 * hd_fiber_entry: the outermost frame of a fiber.  hd_fiber_rest: under a debugger, the kernel thread sleeps here
 * until it becomes the fiber.  hd_call_on calls fn on another stack and returns.  hd_run_on leaves the current
 * stack for good. */
void hd_switch(uint64_t *save_sp, uint64_t new_sp, uint64_t fsbase);
void hd_fiber_entry(void);
_Noreturn void hd_fiber_rest(unsigned slot);
void hd_call_on(void *stack_top, void (*fn)(void *), void *arg);
_Noreturn void hd_run_on(void *stack_top, void (*fn)(void));

/* Sets up main's stack and the table of threads.  Call once, before the first execution. */
void hd_fiber_init(void);

/* Returns the slot of the nth child of the thread in slot parent.  New slots are numbered in order.
 * Returns HD_MAX_THREADS if there are too many. */
unsigned hd_fiber_slot(unsigned parent, unsigned nth);

/* Creates the slot's donor if it has none yet.  Returns false if the kernel refuses. */
bool hd_fiber_provide(unsigned slot);

/* Prepares t, whose slot is set, to start in hd_fiber_main at the first switch to it. */
void hd_fiber_prepare(struct hd_thread *t);

/* Makes `to` the running thread, in all fields of hd that hooks read. */
static inline void hd_fiber_enter(struct hd_thread *to)
{
    hd.cur = to;
    hd.calls = to->calls;
    hd.stack_lo = to->stack_lo;
    hd.stack_len = to->stack_hi - to->stack_lo;
    hd.stores = to->stores;
    hd.writes = 0;
}

static inline void hd_fiber_leave(struct hd_thread *from)
{
    uintptr_t sp;

    __asm__("movq %%rsp, %0" : "=r"(sp)); /* __builtin_frame_address would cost a register */
    if (sp < from->low_sp)
        from->low_sp = sp;
    from->calls = hd.calls;
    from->stores = hd.stores;
}

/* Suspends thread `from` and runs thread `to`.  Inline, because the processor mispredicts every return
 * after a switch. */
static inline void hd_fiber_switch(struct hd_thread *from, struct hd_thread *to)
{
    hd_fiber_leave(from);
    hd_fiber_enter(to);
    unsigned char open = hd_selector; /* hooks/dispatch.h, E3 */

    hd_selector = HD_CLOSED;
    hd_switch(&from->sp, to->sp, to->fsbase);
    hd_selector = open;
}

/* Switches from the running fiber to the scheduler's own context. */
void hd_fiber_go_home(void);
/* Starts t from the scheduler's context.  Returns when the execution is over. */
void hd_fiber_start(struct hd_thread *t);

/* HD_MODE_TIDY: zeroes that many bytes below the caller's frame, where frames of the runtime have left values.
 * Otherwise later frames of the target would contain these values in uninitialised variables, and the target's
 * state would not be a function of its past. */
enum { HD_FRAMES_OF_OPERATION = 2048, HD_FRAMES_OF_ACCESS = 768 };
void hd_tidy_stack(size_t frames);

/* After an execution: zeroes the used part of all stacks (F3). */
void hd_fiber_clear_stacks(void);
/* Returns an address at which F3 does not hold.  Returns 0 if there is none. */
uintptr_t hd_fiber_difference(void);

/* Handles a write fault at addr: makes a protected page of a fiber's stack writable.  Returns false
 * if addr is not on such a page. */
bool hd_fiber_stack_fault(uintptr_t addr);

/* For the zygote: creates donors for all slots that any worker has used. */
void hd_fiber_provide_all(void);

/* Returns the base of the slot's shadow call stack.  Entry 0 is a sentinel. */
struct hd_call *hd_fiber_calls(unsigned slot);

/* Returns the lowest address of the slot's stack that was ever writable: below it all is zero (F3). */
uintptr_t hd_fiber_written_from(unsigned slot);

/* Returns the pthread_t of the thread in this slot. */
uint64_t hd_fiber_self(unsigned slot);

/* Calls the function of a new thread (switch_x86_64.S). */
_Noreturn void hd_fiber_call(void *(*fn)(void *), void *arg, uintptr_t *frames);

#endif
