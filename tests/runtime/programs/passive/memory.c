/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - the heap, strings, and libatomic. */
#include "passive.h"

#include <arpa/inet.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <strings.h>
#include <time.h>

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

int __sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...);
int __vsprintf_chk(char *to, int flag, size_t room, const char *fmt, va_list ap);
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, ...);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, va_list ap);
int __asprintf_chk(char **to, int flag, const char *fmt, ...);
int __vasprintf_chk(char **to, int flag, const char *fmt, va_list ap);
int __isoc99_sscanf(const char *s, const char *fmt, ...);
int __isoc99_vsscanf(const char *s, const char *fmt, va_list ap);
char *__strtok_r(char *s, const char *set, char **rest);

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

/* functions on memory of the caller; `by` gives those with a list their arguments */
enum which { VSPRINTF, VSNPRINTF, VSPRINTF_CHK, VSNPRINTF_CHK, VASPRINTF, VASPRINTF_CHK, VSSCANF };

static int by(enum which which, const char *text, const char *fmt, ...)
{
    char *to;
    int n = -1;
    va_list ap;

    va_start(ap, fmt);
    switch (which) {
    case VSPRINTF: n = vsprintf(BUF, fmt, ap); break;
    case VSNPRINTF: n = vsnprintf(BUF, 9, fmt, ap); break;
    case VSPRINTF_CHK: n = __vsprintf_chk(BUF, 0, 99, fmt, ap); break;
    case VSNPRINTF_CHK: n = __vsnprintf_chk(BUF, 9, 0, 99, fmt, ap); break;
    case VASPRINTF: n = vasprintf(&to, fmt, ap); break;
    case VASPRINTF_CHK: n = __vasprintf_chk(&to, 0, fmt, ap); break;
    case VSSCANF: n = __isoc99_vsscanf(text, fmt, ap); break;
    }
    va_end(ap);
    return n;
}

static int compare_chars(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int compare_chars_with(const void *a, const void *b, void *arg)
{
    (void)arg;
    return compare_chars(a, b);
}

CALL(sprintf, return sprintf(BUF, "%d", 77) + BUF[1];)
CALL(__sprintf_chk, return __sprintf_chk(BUF, 0, 99, "%d", 77) + BUF[1];)
CALL(snprintf, return snprintf(BUF, 9, "%s", "abc") + BUF[1];)
CALL(__snprintf_chk, return __snprintf_chk(BUF, 9, 0, 99, "%s", "abc") + BUF[1];)
CALL(asprintf, char *to; return asprintf(&to, "%s", "abc") + to[1];)
CALL(__asprintf_chk, char *to; return __asprintf_chk(&to, 0, "%s", "abc") + to[1];)
CALL(vsprintf, return by(VSPRINTF, "", "%d", 77) + BUF[1];)
CALL(vsnprintf, return by(VSNPRINTF, "", "%d", 77) + BUF[1];)
CALL(__vsprintf_chk, return by(VSPRINTF_CHK, "", "%d", 77) + BUF[1];)
CALL(__vsnprintf_chk, return by(VSNPRINTF_CHK, "", "%d", 77) + BUF[1];)
CALL(vasprintf, return by(VASPRINTF, "", "%d", 77);)
CALL(__vasprintf_chk, return by(VASPRINTF_CHK, "", "%d", 77);)
CALL(__isoc99_sscanf, int n = 0; return __isoc99_sscanf("12 x", "%d", &n) + n;)
CALL(__isoc99_vsscanf, int n = 0; return by(VSSCANF, "12 x", "%d", &n) + n;)
CALL(strtol, char *end; return strtol("-12x", &end, 0) + *end;)
CALL(strtoll, char *end; return strtoll("-12x", &end, 0) + *end;)
CALL(strtoul, char *end; return (long)strtoul("12x", &end, 0) + *end;)
CALL(strtoull, char *end; return (long)strtoull("12x", &end, 0) + *end;)
CALL(strtof, return (long)strtof("12.5", NULL);)
CALL(strtod, return (long)strtod("12.5", NULL);)
CALL(strtold, return (long)strtold("12.5", NULL);)
CALL(atoi, return atoi("12");)
CALL(atol, return atol("12");)
CALL(atoll, return atoll("12");)
CALL(atof, return (long)atof("12");)
CALL(strcasecmp, return strcasecmp("ab", "AB");)
CALL(strncasecmp, return strncasecmp("abc", "ABd", 2);)
CALL(strcoll, return strcoll("a", "a");)
CALL(strspn, return strspn("aab", "a");)
CALL(strcspn, return strcspn("aab", "b");)
CALL(strpbrk, return strpbrk("aab", "b")[0];)
CALL(strcasestr, return strcasestr("aab", "B")[0];)
CALL(strtok_r, char *rest; strcpy(BUF, "a b"); return strtok_r(BUF, " ", &rest)[0] + rest[0];)
CALL(__strtok_r, char *rest; strcpy(BUF, "a b"); return __strtok_r(BUF, " ", &rest)[0] + rest[0];)
CALL(memmem, return ((char *)memmem("abcd", 4, "cd", 2))[0];)
CALL(memccpy, return (char *)memccpy(BUF, "abcd", 'c', 4) - BUF;)
CALL(qsort, strcpy(BUF, "cab"); qsort(BUF, 3, 1, compare_chars); return BUF[0];)
CALL(qsort_r, strcpy(BUF, "cab"); qsort_r(BUF, 3, 1, compare_chars_with, NULL); return BUF[0];)
CALL(gmtime_r, time_t t = 86400; struct tm to; return gmtime_r(&t, &to)->tm_mday;)
CALL(localtime_r, time_t t = 86400; struct tm to; return localtime_r(&t, &to)->tm_year;)
CALL(mktime, struct tm t = { .tm_year = 70, .tm_mday = 32 }; mktime(&t); return t.tm_mon;)
CALL(timegm, struct tm t = { .tm_year = 70, .tm_mday = 2 }; return timegm(&t);)
CALL(asctime_r, struct tm t = { .tm_year = 70, .tm_mday = 2 }; return asctime_r(&t, BUF)[0];)
CALL(ctime_r, time_t t = 86400 * 9; return ctime_r(&t, BUF)[0];)
CALL(strftime, struct tm t = { .tm_year = 70 }; return strftime(BUF, 9, "%Y", &t) + BUF[1];)
CALL(inet_ntop, return inet_ntop(AF_INET, "\1\2\3\4", BUF, 60)[0];)
CALL(inet_pton, return inet_pton(AF_INET, "1.2.3.4", BUF) + BUF[3];)
