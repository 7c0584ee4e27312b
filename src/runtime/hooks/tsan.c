/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tsan.c - the calls that -fsanitize=thread inserts into the target: plain accesses, ranges,
 * virtual tables, function entry and exit.  Atomics are in atomic.c, annotations in annotate.c.
 *
 * These are the hottest functions of the project.  They touch only `hd`, so they work before any
 * initialisation (.preinit_array runs first) and in a program that runs without Heddle.
 *
 * Volatile accesses (gcc --param tsan-distinguish-volatile=1) are plain ones: volatile orders
 * nothing between threads, so a race on a volatile object is a race. */
#include "runtime/core/call_stack.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/plain.h"

/* Called by .preinit_array before any constructor: there is nothing to do yet. */
HD_EXPORT void __tsan_init(void)
{
}

/* ---- plain accesses --------------------------------------------------------- */

#define ACCESS(name, size, write)                              \
    HD_EXPORT void name(const void *addr)                      \
    {                                                          \
        hd_plain((uintptr_t)addr, size, write, HD_RETURN_PC);         \
    }

/* A loop that waits for another thread's plain write reads the same volatile variable again and again, and hardly
 * any other code does.  So such a loop yields early (hd.fuel). */
static const void *last_volatile;
static int64_t last_fuel; /* hd.fuel at the last read */

/* Counts reads of the same variable.  If hd.fuel is larger than at the last read, an operation or another
 * execution has refilled it since, and the count starts again. */
static inline void count_volatile(const void *addr)
{
    if (addr == last_volatile && hd.fuel <= last_fuel)
        hd.fuel -= HD_FUEL_OF_VOLATILE - 1;
    last_volatile = addr;
    last_fuel = hd.fuel;
}

#define VOLATILE_READ(name, size)                              \
    HD_EXPORT void name(const void *addr)                      \
    {                                                          \
        count_volatile(addr);                                  \
        hd_plain((uintptr_t)addr, size, false, HD_RETURN_PC);  \
    }

/* Returns the pc that a wrapper in the target passes as its caller, which may be invalid. */
static inline uint64_t given(const void *pc)
{
    return hd_shadow_pc((uintptr_t)pc);
}

#define ACCESS_PC(name, size, write)                        \
    HD_EXPORT void name(const void *addr, const void *pc)   \
    {                                                       \
        hd_plain((uintptr_t)addr, size, write, given(pc));  \
    }

/* An access that reads and writes (clang's compound ones) counts as a write. */
#define ALIGNED(size)                                 \
    ACCESS(__tsan_read##size, size, false)            \
    ACCESS(__tsan_write##size, size, true)            \
    ACCESS(__tsan_read_write##size, size, true)       \
    VOLATILE_READ(__tsan_volatile_read##size, size)   \
    ACCESS(__tsan_volatile_write##size, size, true)   \
    ACCESS_PC(__tsan_read##size##_pc, size, false)    \
    ACCESS_PC(__tsan_write##size##_pc, size, true)

#define UNALIGNED(size)                                         \
    ACCESS(__tsan_unaligned_read##size, size, false)            \
    ACCESS(__tsan_unaligned_write##size, size, true)            \
    ACCESS(__tsan_unaligned_read_write##size, size, true)       \
    VOLATILE_READ(__tsan_unaligned_volatile_read##size, size)   \
    ACCESS(__tsan_unaligned_volatile_write##size, size, true)

ALIGNED(1)
ALIGNED(2)
ALIGNED(4)
ALIGNED(8)
ALIGNED(16)
UNALIGNED(1)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

/* ---- ranges ------------------------------------------------------------------ */

static inline void range(const void *addr, size_t size, bool write, uint64_t pc)
{
    if (size != 0)
        hd_plain((uintptr_t)addr, size, write, pc);
}

HD_EXPORT void __tsan_read_range(const void *addr, size_t size)
{
    range(addr, size, false, HD_RETURN_PC);
}

HD_EXPORT void __tsan_write_range(const void *addr, size_t size)
{
    range(addr, size, true, HD_RETURN_PC);
}

HD_EXPORT void __tsan_read_range_pc(const void *addr, size_t size, const void *pc)
{
    range(addr, size, false, given(pc));
}

HD_EXPORT void __tsan_write_range_pc(const void *addr, size_t size, const void *pc)
{
    range(addr, size, true, given(pc));
}

/* ---- virtual tables ------------------------------------------------------------ */

HD_EXPORT void __tsan_vptr_read(void **vptr)
{
    hd_plain((uintptr_t)vptr, sizeof *vptr, false, HD_RETURN_PC);
}

/* A destructor of the object's own class stores the table that is already there.  That is harmless
 * beside a virtual call, and common in C++. */
HD_EXPORT void __tsan_vptr_update(void **vptr, void *value)
{
    if (*vptr != value)
        hd_plain((uintptr_t)vptr, sizeof *vptr, true, HD_RETURN_PC);
}

/* ---- calls ----------------------------------------------------------------------- */

/* Returns the stack pointer, which is the caller's in functions without a frame.
 * __builtin_frame_address would create a frame. */
static inline __attribute__((always_inline)) uintptr_t stack_pointer(void)
{
    uintptr_t sp;

    __asm__ volatile("movq %%rsp, %0" : "=r"(sp));
    return sp;
}

HD_EXPORT void __tsan_func_entry(const void *pc)
{
    hd_call_enter((uintptr_t)pc, stack_pointer());
}

HD_EXPORT void __tsan_func_exit(void)
{
    hd_call_leave(stack_pointer());
}
