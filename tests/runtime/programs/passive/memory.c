/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - the heap, strings, and libatomic. */
#include "passive.h"

#include <malloc.h>
#include <stdbool.h>

typedef unsigned __int128 uint128;

#define BUF passive_buf

void __bzero(void *p, size_t n);
void __explicit_bzero_chk(void *p, size_t n, size_t room);
int __memcmpeq(const void *a, const void *b, size_t n);
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *p, int c, size_t n, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strncat_chk(char *to, const char *from, size_t n, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
void *__rawmemchr(const void *p, int c);
char *__strdup(const char *s);
char *__strndup(const char *s, size_t n);

CALL(malloc, char *p = malloc(99); p[98] = 1; return p != NULL;)
CALL(calloc, char *p = calloc(9, 9); return p[80];)
CALL(realloc, char *p = realloc(strdup("abc"), 999); return strlen(p);)
CALL(reallocarray, return reallocarray(NULL, 9, 9) != NULL;)
CALL(free, free(malloc(9)); free(NULL); return 0;)
CALL(aligned_alloc, return (uintptr_t)aligned_alloc(64, 64) % 64;)
CALL(memalign, return (uintptr_t)memalign(256, 64) % 256;)
CALL(posix_memalign, void *p = NULL; return posix_memalign(&p, 128, 9) + (uintptr_t)p % 128;)
CALL(valloc, return (uintptr_t)valloc(9) % 4096;)
CALL(pvalloc, return (uintptr_t)pvalloc(9) % 4096;)
CALL(malloc_usable_size, return malloc_usable_size(malloc(24)) >= 24;)

CALL(memcpy, memcpy(BUF, "abc", 4); return BUF[1];)
CALL(__memcpy_chk, __memcpy_chk(BUF, "abc", 4, 99); return BUF[1];)
CALL(memmove, memmove(BUF, "abc", 4); return BUF[1];)
CALL(__memmove_chk, __memmove_chk(BUF, "abc", 4, 99); return BUF[1];)
CALL(mempcpy, return (char *)mempcpy(BUF, "abc", 4) - BUF;)
CALL(__mempcpy, return (char *)__mempcpy(BUF, "abc", 4) - BUF;)
CALL(__mempcpy_chk, return (char *)__mempcpy_chk(BUF, "abc", 4, 99) - BUF;)
CALL(memset, memset(BUF, 7, 9); return BUF[8];)
CALL(__memset_chk, __memset_chk(BUF, 7, 9, 99); return BUF[8];)
CALL(memcmp, return memcmp("abc", "abd", 3) < 0;)
CALL(__memcmpeq, return __memcmpeq("abc", "abc", 3);)
CALL(bcmp, return bcmp("abc", "abc", 3);)
CALL(bcopy, bcopy("abc", BUF, 3); return BUF[2];)
CALL(bzero, BUF[3] = 1; bzero(BUF, 9); return BUF[3];)
CALL(__bzero, BUF[3] = 1; __bzero(BUF, 9); return BUF[3];)
CALL(explicit_bzero, BUF[3] = 1; explicit_bzero(BUF, 9); return BUF[3];)
CALL(__explicit_bzero_chk, BUF[3] = 1; __explicit_bzero_chk(BUF, 9, 99); return BUF[3];)
CALL(memchr, const char *s = "abc"; return (char *)memchr(s, 'c', 3) - s;)
CALL(memrchr, const char *s = "abcb"; return (char *)memrchr(s, 'b', 4) - s;)
CALL(rawmemchr, const char *s = "abc"; return (char *)rawmemchr(s, 'c') - s;)
CALL(__rawmemchr, const char *s = "abc"; return (char *)__rawmemchr(s, 'c') - s;)
CALL(strlen, return strlen("abc");)
CALL(strnlen, return strnlen("abc", 2);)
CALL(strcpy, strcpy(BUF, "abc"); return BUF[2];)
CALL(__strcpy_chk, __strcpy_chk(BUF, "abc", 99); return BUF[2];)
CALL(strncpy, strncpy(BUF, "abc", 9); return BUF[2];)
CALL(__strncpy_chk, __strncpy_chk(BUF, "abc", 9, 99); return BUF[2];)
CALL(stpcpy, return stpcpy(BUF, "abc") - BUF;)
CALL(__stpcpy, extern char *__stpcpy(char *, const char *); return __stpcpy(BUF, "abc") - BUF;)
CALL(__stpcpy_chk, return __stpcpy_chk(BUF, "abc", 99) - BUF;)
CALL(stpncpy, return stpncpy(BUF, "abc", 9) - BUF;)
CALL(__stpncpy, extern char *__stpncpy(char *, const char *, size_t); return __stpncpy(BUF, "abc", 9) - BUF;)
CALL(__stpncpy_chk, return __stpncpy_chk(BUF, "abc", 9, 99) - BUF;)
CALL(strcat, strcpy(BUF, "a"); strcat(BUF, "bc"); return strlen(BUF);)
CALL(__strcat_chk, strcpy(BUF, "a"); __strcat_chk(BUF, "bc", 99); return strlen(BUF);)
CALL(strncat, strcpy(BUF, "a"); strncat(BUF, "bc", 1); return strlen(BUF);)
CALL(__strncat_chk, strcpy(BUF, "a"); __strncat_chk(BUF, "bc", 1, 99); return strlen(BUF);)
CALL(strcmp, return strcmp("abc", "abd") < 0;)
CALL(strncmp, return strncmp("abc", "abd", 2);)
CALL(strchr, const char *s = "abc"; return strchr(s, 'b') - s;)
CALL(strchrnul, const char *s = "abc"; return strchrnul(s, 'x') - s;)
CALL(strrchr, const char *s = "abcb"; return strrchr(s, 'b') - s;)
CALL(index, const char *s = "abc"; return index(s, 'b') - s;)
CALL(rindex, const char *s = "abcb"; return rindex(s, 'b') - s;)
CALL(strstr, const char *s = "abc"; return strstr(s, "c") - s;)
CALL(strtok, char s[] = "a,b"; strtok(s, ","); return strtok(NULL, ",")[0];)
CALL(strdup, return strlen(strdup("abc"));)
CALL(__strdup, return strlen(__strdup("abc"));)
CALL(strndup, return strlen(strndup("abc", 2));)
CALL(__strndup, return strlen(__strndup("abc", 2));)

/* ---- libatomic, by size ---- */
#define UPDATES(op, bytes, type)                                                                     \
    type __atomic_fetch_##op##_##bytes(volatile void *p, type v, int order);                         \
    type __atomic_##op##_fetch_##bytes(volatile void *p, type v, int order);                         \
    CALL(__atomic_fetch_##op##_##bytes, type x = 12; return (long)__atomic_fetch_##op##_##bytes(&x, 5, 5) * 1000 + (long)x;) \
    CALL(__atomic_##op##_fetch_##bytes, type x = 12; return (long)__atomic_##op##_fetch_##bytes(&x, 5, 5) * 1000 + (long)x;)
#define ATOMICS(bytes, type)                                                                         \
    UPDATES(add, bytes, type) UPDATES(sub, bytes, type) UPDATES(and, bytes, type)                    \
    UPDATES(or, bytes, type) UPDATES(xor, bytes, type) UPDATES(nand, bytes, type)                    \
    type __atomic_load_##bytes(const volatile void *p, int order);                                   \
    void __atomic_store_##bytes(volatile void *p, type v, int order);                                \
    type __atomic_exchange_##bytes(volatile void *p, type v, int order);                             \
    bool __atomic_compare_exchange_##bytes(volatile void *p, void *e, type v, int yes, int no);      \
    bool __atomic_test_and_set_##bytes(volatile void *p, int order);                                 \
    CALL(__atomic_load_##bytes, type x = 12; return (long)__atomic_load_##bytes(&x, 5);)             \
    CALL(__atomic_store_##bytes, type x = 12; __atomic_store_##bytes(&x, 5, 5); return (long)x;)     \
    CALL(__atomic_exchange_##bytes, type x = 12; return (long)__atomic_exchange_##bytes(&x, 5, 5) * 100 + (long)x;) \
    CALL(__atomic_compare_exchange_##bytes, type x = 12; type e = 12;                                \
         return __atomic_compare_exchange_##bytes(&x, &e, 5, 5, 5) * 100 + (long)x;)                 \
    CALL(__atomic_test_and_set_##bytes, type x = 0; return __atomic_test_and_set_##bytes(&x, 5) * 100 + (x != 0);)
ATOMICS(1, uint8_t)
ATOMICS(2, uint16_t)
ATOMICS(4, uint32_t)
ATOMICS(8, uint64_t)
ATOMICS(16, uint128)

struct large {
    long word[5];
};
void atomic_load_large(size_t n, const void *p, void *to, int order) __asm__("__atomic_load");
void atomic_store_large(size_t n, void *p, const void *from, int order) __asm__("__atomic_store");
void atomic_exchange_large(size_t n, void *p, const void *from, void *to, int order) __asm__("__atomic_exchange");
bool atomic_cas_large(size_t n, void *p, void *e, const void *v, int yes, int no) __asm__("__atomic_compare_exchange");
bool atomic_is_free(size_t n, const void *p) __asm__("__atomic_is_lock_free");
CALL(__atomic_load, struct large a = { { 1, 2, 3, 4, 5 } }; struct large b; atomic_load_large(sizeof a, &a, &b, 5); return b.word[4];)
CALL(__atomic_store, struct large a = { { 1, 2, 3, 4, 5 } }; struct large b; atomic_store_large(sizeof a, &b, &a, 5); return b.word[4];)
CALL(__atomic_exchange, struct large a = { { 1, 2, 3, 4, 5 } }; struct large b = a; struct large c;
     atomic_exchange_large(sizeof a, &b, &a, &c, 5); return c.word[3];)
CALL(__atomic_compare_exchange, struct large a = { { 1, 2, 3, 4, 5 } }; struct large b = a; struct large c = { { 9 } };
     return atomic_cas_large(sizeof a, &a, &b, &c, 5, 5) * 100 + a.word[0];)
CALL(__atomic_is_lock_free, uint64_t x; return atomic_is_free(8, &x);)

bool flag_set(volatile bool *p) __asm__("atomic_flag_test_and_set");
bool flag_set_explicit(volatile bool *p, int order) __asm__("atomic_flag_test_and_set_explicit");
void flag_clear(volatile bool *p) __asm__("atomic_flag_clear");
void flag_clear_explicit(volatile bool *p, int order) __asm__("atomic_flag_clear_explicit");
void thread_fence(int order) __asm__("atomic_thread_fence");
void signal_fence(int order) __asm__("atomic_signal_fence");
CALL(atomic_flag_test_and_set, bool x = false; return flag_set(&x) * 10 + x;)
CALL(atomic_flag_test_and_set_explicit, bool x = true; return flag_set_explicit(&x, 5) * 10 + x;)
CALL(atomic_flag_clear, bool x = true; flag_clear(&x); return x;)
CALL(atomic_flag_clear_explicit, bool x = true; flag_clear_explicit(&x, 5); return x;)
CALL(atomic_thread_fence, thread_fence(5); return 0;)
CALL(atomic_signal_fence, signal_fence(5); return 0;)
