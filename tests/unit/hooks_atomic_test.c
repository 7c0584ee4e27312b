/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hooks_atomic_test.c - every atomic of both ABIs, in every width: the value
 * returned, the memory left, and, when it is the thread's turn, one visible
 * operation with the right kind, value and flags. */
#include "support/unit.h"

#include "runtime/hooks/atomic.c"
#undef OPS
#undef RMW
#undef RMWS
#include "runtime/hooks/libatomic.c"

struct hd_rt hd;
struct hd_entry_regs hd_entry;

static bool controlled;
static struct {
    enum hd_kind kind;
    const volatile void *addr;
    unsigned size;
    int order;
    uint64_t found; /* in memory when it was entered, as far as it fits */
    uint64_t value;
    unsigned flags;
    int entered, left;
} op;

bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc)
{
    assert_true(pc != 0);
    op.kind = kind;
    op.addr = addr;
    op.size = size;
    op.order = order;
    op.found = 0;
    memcpy(&op.found, (const void *)(uintptr_t)addr, size < 8 ? size : 8);
    op.entered++;
    return controlled;
}

void hd_atomic_leave(uint64_t value, unsigned flags)
{
    op.value = value;
    op.flags = flags;
    op.left++;
}

/* What was there, or what a compare-and-swap expected: the same unless it fails. */
void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags)
{
    if (!(flags & HD_EVF_FAILED))
        assert_int_equal(before, op.found);
    else if (op.size <= 8)
        assert_int_not_equal(before, op.found);
    hd_atomic_leave(value, flags);
}

void hd_atomic_look(int order, uint64_t pc)
{
    assert_int_equal(op.kind, HD_EV_ATOMIC_CAS); /* enter looks itself */
    assert_true(pc != 0 && order <= __ATOMIC_SEQ_CST);
}

void hd_atomic_leave_failed(uint64_t wanted, uint64_t found, int order)
{
    op.order = order;
    hd_atomic_leave_from(wanted, found, HD_EVF_FAILED);
}

bool hd_fault_choose(enum hd_fault f, enum hd_kind kind, uint32_t obj, uint32_t what, uint64_t pc)
{
    (void)f, (void)kind, (void)obj, (void)what, (void)pc;
    return false;
}

void hd_note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc)
{
    assert_null(o);
    assert_true(pc != 0);
    op.kind = kind;
    op.value = value;
}

/* No buffer of this test is where the checks look. */
void hd_memcheck_far(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    (void)size, (void)write, (void)pc;
    fail_msg("%lx is no address of a fiber", (unsigned long)addr);
}

void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    (void)addr, (void)size, (void)write, (void)pc;
}

/* One operation took place since the last call, of this kind and result. */
static void expect_op(enum hd_kind kind, const volatile void *addr, unsigned size, uint64_t value,
                      unsigned flags)
{
    assert_int_equal(op.entered, 1);
    assert_int_equal(op.kind, kind);
    assert_ptr_equal(op.addr, addr);
    assert_int_equal(op.size, size);
    assert_int_equal(op.left, controlled);
    if (controlled) {
        assert_int_equal(op.value, value);
        assert_int_equal(op.flags, flags);
    }
    op.entered = op.left = 0;
}

/* ---- sized -------------------------------------------------------------------------- */

#define SC __ATOMIC_SEQ_CST

#define DECLARE_RMW(rmw, bits, bytes, T, result)                      \
    extern T __tsan_atomic##bits##_fetch_##rmw(volatile T *, T, int);
#define DECLARE(bits, bytes, T)                                                             \
    extern T __tsan_atomic##bits##_load(const volatile T *, int);                           \
    extern void __tsan_atomic##bits##_store(volatile T *, T, int);                          \
    extern T __tsan_atomic##bits##_exchange(volatile T *, T, int);                          \
    extern int __tsan_atomic##bits##_compare_exchange_strong(volatile T *, T *, T, int, int); \
    extern T __tsan_atomic##bits##_compare_exchange_val(volatile T *, T, T, int, int);      \
    HD_ATOMIC_RMWS(DECLARE_RMW, bits, bytes, T)
HD_ATOMIC_WIDTHS(DECLARE)

/* The stubs pass arguments on untouched; the bodies behind libatomic's names,
 * which are builtins to the compiler, are called directly. */
#define CHECK_RMW(rmw, bits, bytes, T, result)                                              \
    {                                                                                       \
        T old = (T)~(T)0 / 3, v = (T)5, want = result;                                      \
                                                                                            \
        word = old;                                                                         \
        assert_true(__tsan_atomic##bits##_fetch_##rmw(&word, v, SC) == old);                \
        assert_true(word == want);                                                          \
        expect_op(HD_EV_ATOMIC_RMW, &word, bytes, (uint64_t)want,                           \
                  want == old ? HD_EVF_SAME : 0);                                           \
        word = old;                                                                         \
        assert_true(hd_impl___atomic_##rmw##_fetch_##bytes(&word, v, SC) == want);          \
        assert_true(word == want);                                                          \
        expect_op(HD_EV_ATOMIC_RMW, &word, bytes, (uint64_t)want,                           \
                  want == old ? HD_EVF_SAME : 0);                                           \
    }

#define CHECK_WIDTH(bits, bytes, T)                                                         \
    static void check_##bits(void)                                                          \
    {                                                                                       \
        static _Alignas(16) volatile T word;                                                \
        T high = (T)((T)1 << (bits - 1)), e;                                                \
                                                                                            \
        word = high | 3;                                                                    \
        assert_true(__tsan_atomic##bits##_load(&word, SC) == (T)(high | 3));                \
        expect_op(HD_EV_ATOMIC_LOAD, &word, bytes, (uint64_t)(T)(high | 3), 0);             \
        __tsan_atomic##bits##_store(&word, high | 4, SC);                                   \
        assert_true(word == (T)(high | 4));                                                 \
        expect_op(HD_EV_ATOMIC_STORE, &word, bytes, (uint64_t)(T)(high | 4), 0);            \
        __tsan_atomic##bits##_store(&word, high | 4, __ATOMIC_RELAXED);                     \
        assert_int_equal(op.order, __ATOMIC_RELAXED);                                       \
        expect_op(HD_EV_ATOMIC_STORE, &word, bytes, (uint64_t)(T)(high | 4), HD_EVF_SAME);  \
        assert_true(__tsan_atomic##bits##_exchange(&word, 9, SC) == (T)(high | 4));         \
        expect_op(HD_EV_ATOMIC_RMW, &word, bytes, 9, 0);                                    \
        e = high;                                                                           \
        assert_int_equal(__tsan_atomic##bits##_compare_exchange_strong(                     \
                             &word, &e, 1, SC, __ATOMIC_RELAXED), 0);                       \
        assert_true(e == 9 && word == 9);                                                   \
        assert_int_equal(op.order, controlled ? __ATOMIC_RELAXED : SC);                     \
        expect_op(HD_EV_ATOMIC_CAS, &word, bytes, 9, HD_EVF_FAILED);                        \
        assert_int_equal(__tsan_atomic##bits##_compare_exchange_strong(&word, &e, high, SC, SC), 1); \
        assert_true(e == 9 && word == high);                                                \
        expect_op(HD_EV_ATOMIC_CAS, &word, bytes, (uint64_t)high, 0);                       \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(&word, 1, 2, SC, SC) == high); \
        expect_op(HD_EV_ATOMIC_CAS, &word, bytes, (uint64_t)high, HD_EVF_FAILED);           \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(&word, high, high, SC, SC) == high); \
        expect_op(HD_EV_ATOMIC_CAS, &word, bytes, (uint64_t)high, HD_EVF_SAME);             \
        assert_int_equal(hd_impl___atomic_test_and_set_##bytes(&word, SC), 1);              \
        assert_true(word == 1);                                                             \
        expect_op(HD_EV_ATOMIC_RMW, &word, bytes, 1, 0);                                    \
        HD_ATOMIC_RMWS(CHECK_RMW, bits, bytes, T)                                           \
    }
HD_ATOMIC_WIDTHS(CHECK_WIDTH)

static void every_width(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        controlled = turn;
#define RUN(bits, bytes, T) check_##bits();
        HD_ATOMIC_WIDTHS(RUN)
    }
}

/* ---- any size ------------------------------------------------------------------------- */

static void check_size(size_t size, size_t off)
{
    _Alignas(16) static unsigned char place[96];
    unsigned char in[64], out[64], want[64], *p = place + off;
    uint64_t low = 0;

    memset(in, 0x5a, sizeof in);
    memset(&low, 0x5a, size < sizeof low ? size : sizeof low);
    memset(want, 0, sizeof want);
    memset(place, 0, sizeof place);
    hd_impl___atomic_store(size, p, in, SC);
    expect_op(HD_EV_ATOMIC_STORE, p, (unsigned)size, low, 0);
    assert_memory_equal(p, in, size);
    assert_int_equal(p[size], 0);
    hd_impl___atomic_load(size, p, out, SC);
    expect_op(HD_EV_ATOMIC_LOAD, p, (unsigned)size, low, 0);
    assert_memory_equal(out, in, size);
    hd_impl___atomic_exchange(size, p, want, out, SC);
    expect_op(HD_EV_ATOMIC_RMW, p, (unsigned)size, 0, 0);
    assert_memory_equal(out, in, size);
    assert_int_equal(hd_impl___atomic_compare_exchange(size, p, out, in, SC, __ATOMIC_ACQUIRE), 0);
    assert_int_equal(op.order, controlled ? __ATOMIC_ACQUIRE : SC);
    expect_op(HD_EV_ATOMIC_CAS, p, (unsigned)size, 0, HD_EVF_FAILED);
    assert_memory_equal(out, want, size);
    assert_int_equal(hd_impl___atomic_compare_exchange(size, p, out, in, SC, SC), 1);
    expect_op(HD_EV_ATOMIC_CAS, p, (unsigned)size, low, 0);
    assert_memory_equal(p, in, size);
    assert_int_equal(p[size], 0);
}

static void every_size_and_place(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        controlled = turn;
        for (size_t size = 1; size <= 40; size++)
            for (size_t off = 0; off < 16; off++)
                check_size(size, off);
    }
}

static void lock_free_means_a_power_in_its_place(void **state)
{
    (void)state;
    assert_true(hd_impl___atomic_is_lock_free(16, (void *)32));
    assert_true(hd_impl___atomic_is_lock_free(4, NULL));
    assert_false(hd_impl___atomic_is_lock_free(12, (void *)32));
    assert_false(hd_impl___atomic_is_lock_free(8, (void *)4));
    assert_false(hd_impl___atomic_is_lock_free(32, (void *)32));
}

static void fences_are_notes(void **state)
{
    static struct hd_thread thread;

    (void)state;
    op.kind = HD_EV_NONE;
    __tsan_atomic_thread_fence(SC);
    assert_int_equal(op.kind, HD_EV_NONE);
    hd.cur = &thread;
    __tsan_atomic_thread_fence(__ATOMIC_ACQUIRE);
    assert_int_equal(op.kind, HD_EV_FENCE);
    assert_int_equal(op.value, __ATOMIC_ACQUIRE);
    hd.cur = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width),
        cmocka_unit_test(every_size_and_place),
        cmocka_unit_test(lock_free_means_a_power_in_its_place),
        cmocka_unit_test(fences_are_notes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
