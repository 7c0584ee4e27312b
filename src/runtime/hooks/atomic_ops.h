/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_ops.h - atomic operations as visible operations, for every width.  The two ABIs that
 * compilers use (__tsan_atomic*, libatomic's __atomic_*) differ only in names and argument order.
 *
 * The memory operation is an atomic instruction although only this thread has the turn: kernel threads that Heddle
 * does not control (of a library's hidden pool) may share the word, and the lock prefix costs less than a tenth of
 * the whole operation.  Read-modify-writes are always sequentially consistent, since x86 has nothing cheaper.
 *
 * 16 bytes need cmpxchg16b in assembly: the compilers' builtins would call libatomic, which this
 * library replaces. */
#ifndef HD_RUNTIME_HOOKS_ATOMIC_OPS_H
#define HD_RUNTIME_HOOKS_ATOMIC_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "runtime/core/entry.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/hooks/access.h"

typedef unsigned __int128 hd_u128;

/* X(bits, bytes, type) */
#define HD_ATOMIC_WIDTHS(X) \
    X(8, 1, uint8_t)        \
    X(16, 2, uint16_t)      \
    X(32, 4, uint32_t)      \
    X(64, 8, uint64_t)      \
    X(128, 16, hd_u128)

/* X(name, bits, bytes, type, expression of old and v) */
#define HD_ATOMIC_RMWS(X, bits, bytes, T)    \
    X(add, bits, bytes, T, (T)(old + v))     \
    X(sub, bits, bytes, T, (T)(old - v))     \
    X(and, bits, bytes, T, (T)(old & v))     \
    X(or, bits, bytes, T, (T)(old | v))      \
    X(xor, bits, bytes, T, (T)(old ^ v))     \
    X(nand, bits, bytes, T, (T)~(old & v))

/* ---- on memory -------------------------------------------------------------- */

#define HD_RAW_OPS(bits, bytes, T)                                                     \
    static inline T hd_raw_load_##bits(const volatile T *p, bool turn)                 \
    {                                                                                  \
        (void)turn;                                                                    \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                   \
    }                                                                                  \
    static inline void hd_raw_store_##bits(volatile T *p, T v, int order)              \
    {                                                                                  \
        if (order == __ATOMIC_SEQ_CST)                                                 \
            __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                  \
        else                                                                           \
            __atomic_store_n(p, v, __ATOMIC_RELEASE);                                  \
    }                                                                                  \
    static inline T hd_raw_exchange_##bits(volatile T *p, T v)                         \
    {                                                                                  \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                            \
    }                                                                                  \
    static inline bool hd_raw_cas_##bits(volatile T *p, T *expected, T v)              \
    {                                                                                  \
        return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST,    \
                                           __ATOMIC_SEQ_CST);                          \
    }

HD_RAW_OPS(8, 1, uint8_t)
HD_RAW_OPS(16, 2, uint16_t)
HD_RAW_OPS(32, 4, uint32_t)
HD_RAW_OPS(64, 8, uint64_t)
#undef HD_RAW_OPS

static inline bool hd_raw_cas_128(volatile hd_u128 *p, hd_u128 *expected, hd_u128 v)
{
    uint64_t lo = (uint64_t)*expected, hi = (uint64_t)(*expected >> 64);
    bool ok;

    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(ok), "+m"(*p), "+a"(lo), "+d"(hi)
                     : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
                     : "memory");
    if (!ok)
        *expected = (hd_u128)hi << 64 | lo;
    return ok;
}

/* While the thread has the turn, no other thread writes, so a plain read is enough; it does not dirty the page,
 * which may be read-only.  Without the turn, only a compare-exchange is known to be atomic. */
static inline hd_u128 hd_raw_load_128(const volatile hd_u128 *p, bool turn)
{
    hd_u128 v = 0;

    if (turn)
        return *p;
    hd_raw_cas_128((volatile hd_u128 *)(uintptr_t)p, &v, v);
    return v;
}

static inline hd_u128 hd_raw_exchange_128(volatile hd_u128 *p, hd_u128 v)
{
    hd_u128 old = *p; /* may be torn: the comparison then fails and returns the true value */

    while (!hd_raw_cas_128(p, &old, v))
        ;
    return old;
}

static inline void hd_raw_store_128(volatile hd_u128 *p, hd_u128 v, int order)
{
    (void)order;
    (void)hd_raw_exchange_128(p, v);
}

#define HD_RAW_RMW(op, bits, bytes, T, result)                              \
    static inline T hd_raw_fetch_##op##_##bits(volatile T *p, T v)          \
    {                                                                       \
        return (T)__atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);              \
    }
HD_ATOMIC_RMWS(HD_RAW_RMW, 8, 1, uint8_t)
HD_ATOMIC_RMWS(HD_RAW_RMW, 16, 2, uint16_t)
HD_ATOMIC_RMWS(HD_RAW_RMW, 32, 4, uint32_t)
HD_ATOMIC_RMWS(HD_RAW_RMW, 64, 8, uint64_t)
#undef HD_RAW_RMW

#define HD_RAW_RMW_128(op, bits, bytes, T, result)                          \
    static inline T hd_raw_fetch_##op##_##bits(volatile T *p, T v)          \
    {                                                                       \
        T old = *p;                                                         \
                                                                            \
        while (!hd_raw_cas_##bits(p, &old, result))                         \
            ;                                                               \
        return old;                                                         \
    }
HD_ATOMIC_RMWS(HD_RAW_RMW_128, 128, 16, hd_u128)
#undef HD_RAW_RMW_128

/* ---- as visible operations ---------------------------------------------------- */

/* gcc encodes lock elision in the bits above the memory order. */
#define HD_ORDER(mo) ((mo) & 7)

static inline unsigned hd_same_if(bool same)
{
    return same ? HD_EVF_SAME : 0;
}

/* A successful compare-exchange reports the value written, a failed one the value read. */
#define HD_VISIBLE_OPS(bits, bytes, T)                                                       \
    static inline T hd_atomic_load_##bits(const volatile T *p, int mo, uint64_t pc)          \
    {                                                                                        \
        bool turn = hd_atomic_enter(HD_EV_ATOMIC_LOAD, p, bytes, HD_ORDER(mo), pc);          \
        T v = hd_raw_load_##bits(p, turn);                                                   \
                                                                                             \
        if (turn)                                                                            \
            hd_atomic_leave((uint64_t)v, 0);                                                 \
        return v;                                                                            \
    }                                                                                        \
    static inline void hd_atomic_store_##bits(volatile T *p, T v, int mo, uint64_t pc)       \
    {                                                                                        \
        if (hd_atomic_enter(HD_EV_ATOMIC_STORE, p, bytes, HD_ORDER(mo), pc)) {               \
            T old = hd_raw_load_##bits(p, true);                                             \
                                                                                             \
            hd_raw_store_##bits(p, v, __ATOMIC_RELEASE);                                     \
            hd_atomic_leave_from((uint64_t)old, (uint64_t)v, hd_same_if(old == v));          \
        } else {                                                                             \
            hd_raw_store_##bits(p, v, HD_ORDER(mo));                                         \
        }                                                                                    \
    }                                                                                        \
    static inline T hd_atomic_exchange_##bits(volatile T *p, T v, int mo, uint64_t pc)       \
    {                                                                                        \
        hd_entry.operand = (uint64_t)v;                                                      \
        bool turn = hd_atomic_enter(HD_EV_ATOMIC_RMW, p, bytes, HD_ORDER(mo), pc);           \
        T old = hd_raw_exchange_##bits(p, v);                                                \
                                                                                             \
        if (turn)                                                                            \
            hd_atomic_leave_from((uint64_t)old, (uint64_t)v, hd_same_if(v == old));          \
        return old;                                                                          \
    }                                                                                        \
    static inline bool hd_atomic_cas_##bits(volatile T *p, T *expected, T v, int mo,         \
                                            int fail_mo, uint64_t pc)                        \
    {                                                                                        \
        /* mixed in separately, because equal values would cancel out */                            \
        hd_entry.operand = hd_hash_mix(hd_hash_mix(0, (uint64_t)*expected), (uint64_t)v);    \
        bool turn = hd_atomic_enter(HD_EV_ATOMIC_CAS, p, bytes, HD_ORDER(mo), pc);           \
        T wanted = *expected, seen = wanted;                                                 \
        bool ok = hd_raw_cas_##bits(p, &seen, v);                                            \
                                                                                             \
        hd_atomic_look(HD_ORDER(fail_mo), pc);                                               \
        if (!ok) {                                                                           \
            hd.stores += (uintptr_t)expected - hd.stack_lo >= hd.stack_len; /* no hook sees this store */ \
            *expected = seen;                                                                \
        }                                                                                    \
        if (turn && ok)                                                                      \
            hd_atomic_leave_from((uint64_t)wanted, (uint64_t)v, hd_same_if(wanted == v));    \
        else if (turn)                                                                       \
            hd_atomic_leave_failed((uint64_t)wanted, (uint64_t)seen, HD_ORDER(fail_mo));     \
        return ok;                                                                           \
    }
HD_ATOMIC_WIDTHS(HD_VISIBLE_OPS)
#undef HD_VISIBLE_OPS

/* Returns the old value; *now is the new one. */
#define HD_VISIBLE_RMW(op, bits, bytes, T, result)                                           \
    static inline T hd_atomic_##op##_##bits(volatile T *p, T v, T *now, int mo, uint64_t pc) \
    {                                                                                        \
        hd_entry.operand = (uint64_t)v;                                                      \
        bool turn = hd_atomic_enter(HD_EV_ATOMIC_RMW, p, bytes, HD_ORDER(mo), pc);           \
        T old = hd_raw_fetch_##op##_##bits(p, v);                                            \
                                                                                             \
        *now = result;                                                                       \
        if (turn)                                                                            \
            hd_atomic_leave_from((uint64_t)old, (uint64_t)*now, hd_same_if(*now == old));    \
        return old;                                                                          \
    }
#define HD_VISIBLE_RMWS(bits, bytes, T) HD_ATOMIC_RMWS(HD_VISIBLE_RMW, bits, bytes, T)
HD_ATOMIC_WIDTHS(HD_VISIBLE_RMWS)
#undef HD_VISIBLE_RMWS
#undef HD_VISIBLE_RMW

static inline void hd_atomic_fence(int mo, uint64_t pc)
{
    if (hd.cur != NULL)
        hd_note(HD_EV_FENCE, NULL, (uint64_t)HD_ORDER(mo), pc);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
