/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compiler.h - attributes of functions, and the return address of a caller. */
#ifndef HD_RUNTIME_SYS_COMPILER_H
#define HD_RUNTIME_SYS_COMPILER_H

#include <stdint.h>

#define HD_EXPORT __attribute__((visibility("default")))
#define HD_COLD __attribute__((cold, noinline))
#define HD_RETURN_PC ((uint64_t)(uintptr_t)__builtin_return_address(0))

#endif
