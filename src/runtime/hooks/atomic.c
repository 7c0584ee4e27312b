/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic.c - __tsan_atomic*: the calls that compilers insert for each C11 and C++ atomic and each
 * __sync or __atomic builtin up to 16 bytes.
 *
 * Every entry is a stub that saves the caller's registers for poll.h, even the stores: a spinning loop may call
 * any of them, and saving seven registers is cheaper than having a second kind of entry.  With --faults=weak-cas,
 * a weak compare-exchange may fail spuriously; such a failure is a load.  Without that option C11 allows more
 * behaviours than are explored, and the verdict says so.  (clang calls the last entry for weak and strong
 * exchanges alike, so spurious failures are never tried there.) */
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/hooks/atomic_ops.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"

#define OPS(bits, bytes, T)                                                                 \
    HD_LEAVES_NOTHING T hd_impl___tsan_atomic##bits##_load(const volatile T *p, int mo)                       \
    {                                                                                       \
        return hd_atomic_load_##bits(p, mo, HD_RETURN_PC);                                         \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_load);                                              \
                                                                                            \
    void hd_impl___tsan_atomic##bits##_store(volatile T *p, T v, int mo)                    \
    {                                                                                       \
        hd_atomic_store_##bits(p, v, mo, HD_RETURN_PC);                                            \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_store);                                             \
                                                                                            \
    HD_LEAVES_NOTHING T hd_impl___tsan_atomic##bits##_exchange(volatile T *p, T v, int mo)                    \
    {                                                                                       \
        return hd_atomic_exchange_##bits(p, v, mo, HD_RETURN_PC);                                  \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_exchange);                                          \
                                                                                            \
    HD_LEAVES_NOTHING int hd_impl___tsan_atomic##bits##_compare_exchange_strong(volatile T *p, T *expected,   \
                                                              T v, int mo, int fail_mo)     \
    {                                                                                       \
        return hd_atomic_cas_##bits(p, expected, v, mo, fail_mo, HD_RETURN_PC);                    \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_compare_exchange_strong);                           \
                                                                                            \
    HD_LEAVES_NOTHING int hd_impl___tsan_atomic##bits##_compare_exchange_weak(volatile T *p, T *expected,     \
                                                            T v, int mo, int fail_mo)       \
    {                                                                                       \
        if (hd.cur != NULL && hd_fault(HD_FAULT_CAS, NULL, HD_RETURN_PC)) {                        \
            *expected = hd_atomic_load_##bits(p, fail_mo, HD_RETURN_PC);                           \
            return false;                                                                   \
        }                                                                                   \
        return hd_atomic_cas_##bits(p, expected, v, mo, fail_mo, HD_RETURN_PC);                    \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_compare_exchange_weak);                             \
                                                                                            \
    HD_LEAVES_NOTHING T hd_impl___tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v,    \
                                                         int mo, int fail_mo)               \
    {                                                                                       \
        hd_untried(HD_UNTRIED_WEAK_CAS);                                                    \
        (void)hd_atomic_cas_##bits(p, &expected, v, mo, fail_mo, HD_RETURN_PC);                    \
        return expected;                                                                    \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_compare_exchange_val);
HD_ATOMIC_WIDTHS(OPS)

#define RMW(op, bits, bytes, T, result)                                                     \
    T hd_impl___tsan_atomic##bits##_fetch_##op(volatile T *p, T v, int mo)                  \
    {                                                                                       \
        T now;                                                                              \
                                                                                            \
        return hd_atomic_##op##_##bits(p, v, &now, mo, HD_RETURN_PC);                              \
    }                                                                                       \
    HD_POLL_ENTRY(__tsan_atomic##bits##_fetch_##op);
#define RMWS(bits, bytes, T) HD_ATOMIC_RMWS(RMW, bits, bytes, T)
HD_ATOMIC_WIDTHS(RMWS)

HD_EXPORT void __tsan_atomic_thread_fence(int mo)
{
    hd_atomic_fence(mo, HD_RETURN_PC);
}

/* Orders a thread with its own signal handlers only: other threads see nothing. */
HD_EXPORT void __tsan_atomic_signal_fence(int mo)
{
    (void)mo;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
