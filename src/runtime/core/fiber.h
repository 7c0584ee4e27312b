/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fiber.h - logical threads as fibers: stacks, donor TCBs, the switch.
 *
 * F1  A slot's stack, TCB and arena have fixed addresses that depend on the slot
 *     alone, and slots depend on thread names alone: addresses do not depend on
 *     the interleaving.
 * F2  A fiber runs on its donor's stack, below the sleeping donor's frame; main
 *     runs on the stack of slot 0 with the process's own TCB.
 *     The shadow call stack grows up from where the real one grows down: the
 *     first entries of both are on one page.
 * F3  A page of a fiber's stack that was never written reads as zero and is
 *     write-protected; all bytes below the first frame are zero when an execution
 *     begins.  (Within an execution the runtime's own frames leave traces there.) */
#ifndef HD_RUNTIME_CORE_FIBER_H
#define HD_RUNTIME_CORE_FIBER_H

#include "runtime/core/rt.h"
#include "runtime/core/selector.h"

#define HD_STACK_SIZE UINT64_C(0x4000000) /* of every thread; committed as it is used */
#define HD_CALLS_BYTES UINT64_C(0x2000000)  /* of it, above the first frame, for the shadow call stack */
#define HD_STACK_DEFAULT UINT64_C(0x800000) /* what pthread_getattr_np tells */

/* Saved registers above a resting fiber's stack pointer, in 8-byte words. */
enum { HD_SAVED_FP, HD_SAVED_R15, HD_SAVED_R14, HD_SAVED_R13, HD_SAVED_R12, HD_SAVED_RBX,
       HD_SAVED_RBP, HD_SAVED_PC, HD_SAVED_WORDS };

void hd_switch(uint64_t *save_sp, uint64_t new_sp, uint64_t fsbase);
void hd_fiber_entry(void);
_Noreturn void hd_fiber_rest(unsigned slot);
void hd_call_on(void *stack_top, void (*fn)(void *), void *arg);
_Noreturn void hd_run_on(void *stack_top, void (*fn)(void));

/* Once, before the first execution: main's stack, the first donors. */
void hd_fiber_init(void);

/* The slot of the nth child of the thread in slot parent; new ones are numbered
 * in order.  HD_MAX_THREADS when there are too many. */
unsigned hd_fiber_slot(unsigned parent, unsigned nth);

/* Make sure the slot has a donor; false when the kernel refuses. */
bool hd_fiber_provide(unsigned slot);

/* Prepare t (slot set) to start in hd_fiber_main when it is switched to. */
void hd_fiber_prepare(struct hd_thread *t);

/* Make to the running thread, in all that hooks look at. */
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

/* Leave from, run to.  Inline: every return after a switch is mispredicted, so
 * the fewer the better. */
static inline void hd_fiber_switch(struct hd_thread *from, struct hd_thread *to)
{
    hd_fiber_leave(from);
    hd_fiber_enter(to);
    unsigned char open = hd_selector; /* dispatch.h, E3 */

    hd_selector = HD_CLOSED;
    hd_switch(&from->sp, to->sp, to->fsbase);
    hd_selector = open;
}

/* Leave the running fiber for the scheduler's own context. */
void hd_fiber_go_home(void);
/* The scheduler starts t and returns when the execution is over. */
void hd_fiber_start(struct hd_thread *t);

/* After an execution: clear what the fibers left on their stacks. */
void hd_fiber_clear_stacks(void);
/* Where F3 does not hold: 0, nowhere. */
uintptr_t hd_fiber_difference(void);

/* A write to a protected page of a fiber's stack: make it writable. */
bool hd_fiber_stack_fault(uintptr_t addr);

/* Donors for all slots that some worker knows, for the zygote. */
void hd_fiber_provide_all(void);

/* Base of the shadow call stack of the slot; entry 0 is a sentinel. */
struct hd_call *hd_fiber_calls(unsigned slot);

/* The pthread_t that the thread in this slot has. */
uint64_t hd_fiber_self(unsigned slot);

#endif
