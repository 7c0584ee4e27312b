/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked.c - every form of an atomic instruction, in a library that is not instrumented: each does
 * exactly what the same instruction does to a variable of its own, flags included, whatever way it
 * is led through Heddle.  Two threads do it at once, with memory of their own. */
#include <stdint.h>
#include <string.h>

long all_forms(char *memory);

#ifdef LIBRARY

static long wrong; /* (line of the last that differs; both threads may write it) */

#define CHECK(ok) ((ok) ? (void)0 : (void)(wrong = __LINE__))
#define FLAGS 0x8d5u

/* op with a register and with constants, by which the instruction is short or long */
#define BINARY(op, T, c)                                                                       \
    do {                                                                                       \
        T *m = (T *)memory, ref, from = (T)0x1122334455667788;                                 \
        uint64_t f1, f2;                                                                       \
        *m = ref = (T)0xf0e1d2c3b4a59687;                                                      \
        __asm__ volatile("stc; lock " op " %2, %0; pushfq; popq %1" : "+m"(*m), "=&r"(f1) : "r"(from) : "cc"); \
        __asm__ volatile("stc; " op " %2, %0; pushfq; popq %1" : "+r"(ref), "=&r"(f2) : "r"(from) : "cc");        \
        CHECK(*m == ref && (f1 & FLAGS) == (f2 & FLAGS));                                      \
        __asm__ volatile("stc; lock " op " %2, %0; pushfq; popq %1" : "+m"(*m), "=&r"(f1) : "i"(c) : "cc");    \
        __asm__ volatile("stc; " op " %2, %0; pushfq; popq %1" : "+r"(ref), "=&r"(f2) : "i"(c) : "cc"); \
        CHECK(*m == ref && (f1 & FLAGS) == (f2 & FLAGS));                                      \
    } while (0)

#define BINARIES(name)                     \
    BINARY(name "b", uint8_t, 0x21);       \
    BINARY(name "w", uint16_t, 0x4321);    \
    BINARY(name "l", uint32_t, 0x7654321); \
    BINARY(name "q", uint64_t, 0x7654321)

#define UNARY(op, T)                                                                                \
    do {                                                                                            \
        T *m = (T *)memory, ref;                                                                    \
        uint64_t f1, f2;                                                                            \
        *m = ref = (T)0x7fe1d2c3b4a5967f;                                                           \
        __asm__ volatile("addb $0, %%al; lock " op " %0; pushfq; popq %1" : "+m"(*m), "=&r"(f1) : : "cc"); \
        __asm__ volatile("addb $0, %%al; " op " %0; pushfq; popq %1" : "+r"(ref), "=&r"(f2) : : "cc");     \
        CHECK(*m == ref && (f1 & 1) == (f2 & 1));                                                   \
    } while (0)

#define UNARIES(name)            \
    UNARY(name "b", uint8_t);    \
    UNARY(name "w", uint16_t);   \
    UNARY(name "l", uint32_t);   \
    UNARY(name "q", uint64_t)

/* xchg and xadd; expect: what is in memory afterwards */
#define SWAPS(op, T, expect)                                                    \
    do {                                                                        \
        T *m = (T *)memory, old = (T)0x99aabbccddeeff01, v = (T)0x1020304050607080, in = v; \
        *m = old;                                                               \
        __asm__ volatile(op " %0, %1" : "+r"(v), "+m"(*m) : : "cc");            \
        CHECK(v == old && *m == (T)(expect));                                   \
    } while (0)

#define COMPARES(suffix, T)                                                                          \
    do {                                                                                             \
        T *m = (T *)memory, seen = 5, v = 7;                                                         \
        unsigned char ok;                                                                            \
        *m = 5;                                                                                      \
        __asm__ volatile("lock cmpxchg" suffix " %3, %1; sete %2" : "+a"(seen), "+m"(*m), "=q"(ok) : "r"(v) : "cc"); \
        CHECK(ok && seen == 5 && *m == 7);                                                           \
        __asm__ volatile("lock cmpxchg" suffix " %3, %1; sete %2" : "+a"(seen), "+m"(*m), "=q"(ok) : "r"(v) : "cc"); \
        CHECK(!ok && seen == 7 && *m == 7);                                                          \
    } while (0)

static void pairs(char *memory)
{
    uint64_t *m = (uint64_t *)memory, lo = 1, hi = 2;
    uint32_t *n = (uint32_t *)(memory + 16), l = 3, h = 4;
    unsigned char ok;

    m[0] = 1, m[1] = 2, n[0] = 3, n[1] = 5;
    __asm__ volatile("lock cmpxchg16b (%4); sete %2" : "+a"(lo), "+d"(hi), "=&q"(ok) : "b"(8ul), "r"(m), "c"(9ul) : "cc", "memory");
    CHECK(ok && m[0] == 8 && m[1] == 9);
    __asm__ volatile("lock cmpxchg8b (%4); sete %2" : "+a"(l), "+d"(h), "=&q"(ok) : "b"(8), "r"(n), "c"(9) : "cc", "memory");
    CHECK(!ok && l == 3 && h == 5 && n[0] == 3);
}

static void bits(char *memory)
{
    uint32_t *m = (uint32_t *)memory;
    unsigned char carry;

    memset(memory, 0, 64);
    __asm__ volatile("lock btsl %2, %0; setc %1" : "+m"(m[4]), "=q"(carry) : "r"(37) : "cc", "memory");
    CHECK(!carry && m[5] == 32);
    __asm__ volatile("lock btsl %2, %0; setc %1" : "+m"(m[4]), "=q"(carry) : "r"(-1) : "cc", "memory");
    CHECK(!carry && m[3] == 1u << 31);
    __asm__ volatile("lock btrl $5, %0; setc %1" : "+m"(m[5]), "=q"(carry) : : "cc");
    CHECK(carry && m[5] == 0);
    __asm__ volatile("lock btcq $40, %0; setc %1" : "+m"(*(uint64_t *)(m + 6)), "=q"(carry) : : "cc");
    CHECK(!carry && m[7] == 256);
}

/* Addresses of all kinds: of the library's own data, from registers that need other encodings. */
static void addresses(char *memory)
{
    static __thread int own;
    static int shared;
    uint64_t *m = memset(memory, 0, 64);
    register uint64_t *r12 __asm__("r12") = m, *r13 __asm__("r13") = m;
    register long r10 __asm__("r10") = 3;

    __asm__ volatile("lock incq 16(%0,%1,8)" : : "r"(r12), "r"(r10) : "cc", "memory");
    __asm__ volatile("lock incq (%0)" : : "r"(r13) : "cc", "memory");
    __asm__ volatile("lock addl $1, %0; lock subl $1, %0" : "+m"(shared) : : "cc");
    __asm__ volatile("lock addl $1, %0" : "+m"(own) : : "cc");
    __asm__ volatile("movl $0x4500, %%eax; xchgb %%ah, (%0)" : : "r"(m + 1) : "eax", "memory");
    CHECK(m[5] == 1 && m[0] == 1 && m[1] == 0x45 && own > 0);
}

/* The red zone, vector registers and a jump behind the prefix. */
__asm__(".text\n.type beside, @function\nbeside:\n"
        "  movq $77, -8(%rsp)\n  movq $78, -128(%rsp)\n"
        "  movq %rdi, %xmm1\n  movq %rdi, %xmm15\n  movl $3, %eax\n"
        "  lock xaddl %eax, (%rdi)\n"
        "  movq %xmm1, %rdx\n  movq %xmm15, %rcx\n"
        "  xorq %rdi, %rdx\n  xorq %rdi, %rcx\n  orq %rcx, %rdx\n  jne 3f\n"
        "  cmpq $77, -8(%rsp)\n  jne 3f\n  cmpq $78, -128(%rsp)\n  jne 3f\n"
        "  testl %edx, %edx\n  je 2f\n"
        "1: lock\n2: addl $0x1000000, (%rdi)\n"
        "  movl $1, %eax\n  ret\n"
        "3: xorl %eax, %eax\n  ret\n.size beside, .-beside\n");
extern int beside(void *memory) __attribute__((visibility("hidden")));

long all_forms(char *memory)
{
    int *word = (int *)memory;

    BINARIES("add");
    BINARIES("sub");
    BINARIES("and");
    BINARIES("or");
    BINARIES("xor");
    BINARIES("adc");
    BINARIES("sbb");
    UNARIES("inc");
    UNARIES("dec");
    UNARIES("neg");
    UNARIES("not");
    SWAPS("xchgb", uint8_t, in);
    SWAPS("xchgw", uint16_t, in);
    SWAPS("xchgl", uint32_t, in);
    SWAPS("xchgq", uint64_t, in);
    SWAPS("lock xaddb", uint8_t, in + old);
    SWAPS("lock xaddl", uint32_t, in + old);
    SWAPS("lock xaddq", uint64_t, in + old);
    COMPARES("b", uint8_t);
    COMPARES("w", uint16_t);
    COMPARES("l", uint32_t);
    COMPARES("q", uint64_t);
    pairs(memory);
    bits(memory);
    addresses(memory);
    *word = 4;
    CHECK(beside(memory) && *word == 0x1000007);
    return wrong;
}

#else

#include <assert.h>
#include <pthread.h>

static char memory[2][64] __attribute__((aligned(64)));

static void *run(void *own)
{
    assert(all_forms(own) == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, memory[1]);
    run(memory[0]);
    pthread_join(t, NULL);
    return 0;
}

#endif
