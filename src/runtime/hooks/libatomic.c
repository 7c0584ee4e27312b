/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libatomic.c - libatomic's entry points.  Both compilers call them, also from instrumented code,
 * instead of __tsan_*: for large atomics, for odd sizes, and for 16 bytes without -mcx16.
 *
 * An object of odd size is copied during the turn.  Without Heddle a lock chosen by the address
 * protects it.  Every user in the process comes through this file, so it need not be libatomic's
 * own lock.
 *
 * The compiler treats the sized names as builtins and rejects their definition in C, so
 * HD_POLL_ENTRY defines them in assembly. */
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/hooks/access.h"
#include "runtime/hooks/atomic_ops.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"

/* ---- sized --------------------------------------------------------------------- */

#define OPS(bits, bytes, T)                                                                 \
    T hd_impl___atomic_load_##bytes(const volatile T *p, int mo)                            \
    {                                                                                       \
        return hd_atomic_load_##bits(p, mo, HD_RETURN_PC);                                         \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_load_##bytes);                                                   \
                                                                                            \
    void hd_impl___atomic_store_##bytes(volatile T *p, T v, int mo)                         \
    {                                                                                       \
        hd_atomic_store_##bits(p, v, mo, HD_RETURN_PC);                                            \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_store_##bytes);                                                  \
                                                                                            \
    T hd_impl___atomic_exchange_##bytes(volatile T *p, T v, int mo)                         \
    {                                                                                       \
        return hd_atomic_exchange_##bits(p, v, mo, HD_RETURN_PC);                                  \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_exchange_##bytes);                                               \
                                                                                            \
    int hd_impl___atomic_compare_exchange_##bytes(volatile T *p, T *expected, T v, int mo,  \
                                                  int fail_mo)                              \
    {                                                                                       \
        hd_untried(HD_UNTRIED_WEAK_CAS); /* the call does not say whether it is weak or strong */ \
        return hd_atomic_cas_##bits(p, expected, v, mo, fail_mo, HD_RETURN_PC);                    \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_compare_exchange_##bytes);                                       \
                                                                                            \
    int hd_impl___atomic_test_and_set_##bytes(volatile T *p, int mo)                        \
    {                                                                                       \
        return hd_atomic_exchange_##bits(p, 1, mo, HD_RETURN_PC) != 0;                             \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_test_and_set_##bytes);
HD_ATOMIC_WIDTHS(OPS)

#define RMW(op, bits, bytes, T, result)                                                     \
    T hd_impl___atomic_fetch_##op##_##bytes(volatile T *p, T v, int mo)                     \
    {                                                                                       \
        T now;                                                                              \
                                                                                            \
        return hd_atomic_##op##_##bits(p, v, &now, mo, HD_RETURN_PC);                              \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_fetch_##op##_##bytes);                                           \
                                                                                            \
    T hd_impl___atomic_##op##_fetch_##bytes(volatile T *p, T v, int mo)                     \
    {                                                                                       \
        T now;                                                                              \
                                                                                            \
        (void)hd_atomic_##op##_##bits(p, v, &now, mo, HD_RETURN_PC);                               \
        return now;                                                                         \
    }                                                                                       \
    HD_POLL_ENTRY(__atomic_##op##_fetch_##bytes);
#define RMWS(bits, bytes, T) HD_ATOMIC_RMWS(RMW, bits, bytes, T)
HD_ATOMIC_WIDTHS(RMWS)

/* ---- flags and fences ------------------------------------------------------------ */

int hd_impl_atomic_flag_test_and_set(volatile uint8_t *flag)
{
    return hd_atomic_exchange_8(flag, 1, __ATOMIC_SEQ_CST, HD_RETURN_PC) != 0;
}
HD_POLL_ENTRY(atomic_flag_test_and_set);

int hd_impl_atomic_flag_test_and_set_explicit(volatile uint8_t *flag, int mo)
{
    return hd_atomic_exchange_8(flag, 1, mo, HD_RETURN_PC) != 0;
}
HD_POLL_ENTRY(atomic_flag_test_and_set_explicit);

void hd_impl_atomic_flag_clear(volatile uint8_t *flag)
{
    hd_atomic_store_8(flag, 0, __ATOMIC_SEQ_CST, HD_RETURN_PC);
}
HD_POLL_ENTRY(atomic_flag_clear);

void hd_impl_atomic_flag_clear_explicit(volatile uint8_t *flag, int mo)
{
    hd_atomic_store_8(flag, 0, mo, HD_RETURN_PC);
}
HD_POLL_ENTRY(atomic_flag_clear_explicit);

HD_EXPORT void atomic_thread_fence(int mo)
{
    hd_atomic_fence(mo, HD_RETURN_PC);
}

HD_EXPORT void atomic_signal_fence(int mo)
{
    (void)mo;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- any size ---------------------------------------------------------------------- */

/* The width of a lock-free object of this size and address; 0 if it is not lock-free. */
static size_t lock_free_width(size_t size, uintptr_t addr)
{
    bool power = size != 0 && (size & (size - 1)) == 0 && size <= 16;

    return power && (addr & (size - 1)) == 0 ? size : 0;
}

bool hd_impl___atomic_is_lock_free(size_t size, const volatile void *p)
{
    return lock_free_width(size, (uintptr_t)p) != 0;
}
HD_POLL_ENTRY(__atomic_is_lock_free);

enum { LOCKS = 64, LINE = 64 };
static struct {
    _Alignas(LINE) volatile uint8_t taken;
} locks[LOCKS];

static volatile uint8_t *lock_of(const volatile void *p)
{
    return &locks[(uintptr_t)p / LINE % LOCKS].taken;
}

/* Waits for the turn or, without Heddle, takes the lock. */
static bool odd_enter(enum hd_kind kind, const volatile void *p, size_t size, int mo, uint64_t pc)
{
    if (hd_atomic_enter(kind, p, (unsigned)size, HD_ORDER(mo), pc))
        return true;
    while (hd_raw_exchange_8(lock_of(p), 1) != 0)
        __builtin_ia32_pause();
    return false;
}

static void odd_leave(bool turn, const volatile void *p, uint64_t before, uint64_t value,
                      unsigned flags)
{
    if (turn)
        hd_atomic_leave_from(before, value, flags);
    else
        hd_raw_store_8(lock_of(p), 0, __ATOMIC_RELEASE);
}

static uint64_t low_bytes(const void *p, size_t size)
{
    uint64_t v = 0;

    hd_move(&v, p, size < sizeof v ? size : sizeof v);
    return v;
}

static void odd_load(size_t size, const void *p, void *out, int mo, uint64_t pc)
{
    bool turn = odd_enter(HD_EV_ATOMIC_LOAD, p, size, mo, pc);

    hd_move(out, p, size);
    uint64_t value = low_bytes(out, size);

    odd_leave(turn, p, value, value, 0);
}

static void odd_store(size_t size, void *p, const void *in, int mo, uint64_t pc)
{
    bool turn = odd_enter(HD_EV_ATOMIC_STORE, p, size, mo, pc);
    bool same = hd_compare(p, in, size) == 0;
    uint64_t before = low_bytes(p, size);

    hd_move(p, in, size);
    odd_leave(turn, p, before, low_bytes(in, size), hd_same_if(same));
}

/* `in` and `out` may be the same buffer, so the bytes are exchanged one by one. */
static void odd_exchange(size_t size, uint8_t *p, const uint8_t *in, uint8_t *out, int mo,
                         uint64_t pc)
{
    bool turn = odd_enter(HD_EV_ATOMIC_RMW, p, size, mo, pc);
    bool same = hd_compare(p, in, size) == 0;
    uint64_t before = low_bytes(p, size), value = low_bytes(in, size);

    for (size_t i = 0; i < size; i++) {
        uint8_t old = p[i];

        p[i] = in[i];
        out[i] = old;
    }
    odd_leave(turn, p, before, value, hd_same_if(same));
}

static bool odd_cas(size_t size, void *p, void *expected, const void *in, int mo, int fail_mo,
                    uint64_t pc)
{
    bool turn = odd_enter(HD_EV_ATOMIC_CAS, p, size, mo, pc);
    bool ok = hd_compare(p, expected, size) == 0;
    bool same = ok && hd_compare(p, in, size) == 0;
    uint64_t wanted = low_bytes(expected, size);

    hd_atomic_look(HD_ORDER(fail_mo), pc);
    if (ok)
        hd_move(p, in, size);
    else
        hd_move(expected, p, size);
    if (turn && !ok)
        hd_atomic_leave_failed(wanted, low_bytes(p, size), HD_ORDER(fail_mo));
    else
        odd_leave(turn, p, wanted, low_bytes(p, size), hd_same_if(same));
    return ok;
}

/* The caller's buffers may be unaligned. */
#define UNALIGNED(bits, bytes, T) typedef T hd_any_##bits __attribute__((aligned(1), may_alias));
HD_ATOMIC_WIDTHS(UNALIGNED)

void hd_impl___atomic_load(size_t size, void *p, void *out, int mo)
{
    switch (lock_free_width(size, (uintptr_t)p)) {
#define CASE(bits, bytes, T)                                          \
    case bytes:                                                       \
        *(hd_any_##bits *)out = hd_atomic_load_##bits(p, mo, HD_RETURN_PC);  \
        return;
        HD_ATOMIC_WIDTHS(CASE)
#undef CASE
    default:
        odd_load(size, p, out, mo, HD_RETURN_PC);
    }
}
HD_POLL_ENTRY(__atomic_load);

void hd_impl___atomic_store(size_t size, void *p, void *in, int mo)
{
    switch (lock_free_width(size, (uintptr_t)p)) {
#define CASE(bits, bytes, T)                                          \
    case bytes:                                                       \
        hd_atomic_store_##bits(p, *(hd_any_##bits *)in, mo, HD_RETURN_PC);   \
        return;
        HD_ATOMIC_WIDTHS(CASE)
#undef CASE
    default:
        odd_store(size, p, in, mo, HD_RETURN_PC);
    }
}
HD_POLL_ENTRY(__atomic_store);

void hd_impl___atomic_exchange(size_t size, void *p, void *in, void *out, int mo)
{
    switch (lock_free_width(size, (uintptr_t)p)) {
#define CASE(bits, bytes, T)                                                              \
    case bytes:                                                                           \
        *(hd_any_##bits *)out =                                                           \
            hd_atomic_exchange_##bits(p, *(hd_any_##bits *)in, mo, HD_RETURN_PC);                \
        return;
        HD_ATOMIC_WIDTHS(CASE)
#undef CASE
    default:
        odd_exchange(size, p, in, out, mo, HD_RETURN_PC);
    }
}
HD_POLL_ENTRY(__atomic_exchange);

int hd_impl___atomic_compare_exchange(size_t size, void *p, void *expected, void *in, int mo,
                                      int fail_mo)
{
    hd_untried(HD_UNTRIED_WEAK_CAS);
    switch (lock_free_width(size, (uintptr_t)p)) {
#define CASE(bits, bytes, T)                                                              \
    case bytes: {                                                                         \
        T seen = *(hd_any_##bits *)expected;                                              \
        bool ok = hd_atomic_cas_##bits(p, &seen, *(hd_any_##bits *)in, mo, fail_mo,       \
                                       HD_RETURN_PC);                                            \
                                                                                          \
        if (!ok)                                                                          \
            *(hd_any_##bits *)expected = seen;                                            \
        return ok;                                                                        \
    }
        HD_ATOMIC_WIDTHS(CASE)
#undef CASE
    default:
        return odd_cas(size, p, expected, in, mo, fail_mo, HD_RETURN_PC);
    }
}
HD_POLL_ENTRY(__atomic_compare_exchange);
