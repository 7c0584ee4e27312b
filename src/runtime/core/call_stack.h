/* SPDX-License-Identifier: BSD-2-Clause
 *
 * call_stack.h - the shadow call stack of the running thread: the calls of instrumented functions that
 * have not returned.  fiber.h (F2) says where it lies. */
#ifndef HD_RUNTIME_CORE_CALL_STACK_H
#define HD_RUNTIME_CORE_CALL_STACK_H

#include <stddef.h>

#include "base/check.h"
#include "runtime/core/state.h"

struct hd_call {
    uint64_t pc; /* return address of the function, in its caller */
    uint64_t sp;
};

static inline void hd_call_enter(uint64_t pc, uint64_t sp)
{
    if (hd.cur == NULL)
        return;
    while (hd.calls[-1].sp <= sp) /* frames that longjmp has left; the base entry has the highest sp */
        hd.calls--;
    hd.calls->pc = pc;
    hd.calls->sp = sp;
    hd.calls++;
}

static inline void hd_call_leave(uint64_t sp)
{
    if (hd.cur == NULL)
        return;
    while (HD_UNLIKELY(hd.calls[-1].sp < sp)) /* frames that longjmp has left; alloca only lowers sp */
        hd.calls--;
    hd.calls -= hd.calls[-1].sp != UINT64_MAX;
}

#endif
