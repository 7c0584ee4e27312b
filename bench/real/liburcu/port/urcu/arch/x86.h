/* SPDX-License-Identifier: BSD-2-Clause
 *
 * In the place of liburcu's header of this name: what it leaves to the compiler where it has
 * no assembly of its own (urcu/arch/generic.h) instead of x86's mfence and rep nop. */
#ifndef HEDDLE_REAL_URCU_ARCH_X86_H
#define HEDDLE_REAL_URCU_ARCH_X86_H

#include <urcu/compiler.h>
#include <urcu/config.h>
#include <urcu/syscall-compat.h>

#define CAA_CACHE_LINE_SIZE 128

#include <urcu/arch/generic.h>

#endif
