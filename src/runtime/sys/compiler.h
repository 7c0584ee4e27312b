/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compiler.h - attributes of functions, and the return address of a caller. */
#ifndef HD_RUNTIME_SYS_COMPILER_H
#define HD_RUNTIME_SYS_COMPILER_H

#include <stdint.h>

#define HD_EXPORT __attribute__((visibility("default")))
#define HD_COLD __attribute__((cold, noinline))
/* Makes a function clear the registers that it has used.  A transaction saves and restores registers that ordinary
 * calls may change, so they are part of the state that a polling loop must repeat (watch/transaction.c). */
#if __has_attribute(zero_call_used_regs)
#define HD_LEAVES_NOTHING __attribute__((zero_call_used_regs("all-gpr")))
#else
#define HD_LEAVES_NOTHING
#endif
#define HD_RETURN_PC ((uint64_t)(uintptr_t)__builtin_return_address(0))

#endif
