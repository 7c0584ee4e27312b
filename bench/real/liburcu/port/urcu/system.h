/* SPDX-License-Identifier: BSD-2-Clause
 *
 * In the place of liburcu's header of this name: shared memory is read and written by relaxed
 * atomics.  liburcu does so through volatile, which to C11 and Heddle is a plain access;
 * what orders them are its fences, in either case. */
#ifndef _URCU_SYSTEM_H
#define _URCU_SYSTEM_H

#include <urcu/compiler.h>
#include <urcu/arch.h>

#define _CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define CMM_LOAD_SHARED(p) _CMM_LOAD_SHARED(p)

#define _CMM_STORE_SHARED(x, v)                             \
    __extension__({                                         \
        __typeof__(x) stored_ = (v);                        \
        __atomic_store_n(&(x), stored_, __ATOMIC_RELAXED);  \
        stored_;                                            \
    })
#define CMM_STORE_SHARED(x, v) _CMM_STORE_SHARED(x, v)

#endif
