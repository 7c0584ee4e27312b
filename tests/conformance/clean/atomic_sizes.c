/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_sizes.c - atomic operations of every size and kind compute what the standard
 * says. */
#include <stdatomic.h>

#include "../conform.h"

#define TRY(type)                                                      \
    do {                                                               \
        static _Atomic type x;                                         \
        type seen = 0;                                                 \
        atomic_store(&x, 40);                                          \
        IS(atomic_fetch_add(&x, 5), 40);                               \
        IS(atomic_fetch_sub(&x, 3), 45);                               \
        IS(atomic_fetch_or(&x, 1), 42);                                \
        IS(atomic_fetch_and(&x, 0x3e), 43);                            \
        IS(atomic_fetch_xor(&x, 3), 42);                               \
        IS(atomic_exchange(&x, 7), 41);                                \
        IS(atomic_compare_exchange_strong(&x, &seen, 9), 0);           \
        IS(seen, 7);                                                   \
        while (!atomic_compare_exchange_weak(&x, &seen, 9))            \
            ;                                                          \
        IS(atomic_load_explicit(&x, memory_order_acquire), 9);         \
        IS(x++, 9);                                                    \
        IS(--x, 9);                                                    \
        x += 2;                                                        \
        IS(atomic_load(&x), 11);                                       \
    } while (0)

int main(void)
{
    static long word;
    static int *_Atomic pointer;
    static int array[4];
    static _Atomic _Bool truth;

    TRY(unsigned char);
    TRY(unsigned short);
    TRY(unsigned int);
    TRY(unsigned long);
    TRY(signed char);
    TRY(long long);
    atomic_store(&pointer, array);
    IS(atomic_exchange(&pointer, array + 3) == array, 1);
    IS(atomic_load(&pointer) == array + 3, 1);
    IS(atomic_exchange(&truth, 1), 0);
    IS(__sync_fetch_and_add(&word, 5), 0);
    IS(__sync_bool_compare_and_swap(&word, 5, 6), 1);
    IS(__sync_val_compare_and_swap(&word, 5, 7), 6);
    IS(__sync_lock_test_and_set(&word, 1), 6);
    __sync_lock_release(&word);
    __sync_synchronize();
    IS(__atomic_nand_fetch(&word, 1, __ATOMIC_SEQ_CST), ~0L);
    return 0;
}
