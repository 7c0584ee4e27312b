/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller_memory.c - functions of wide strings, and functions that keep results or state in memory of the caller. */
#include "passive.h"

#include <iconv.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <stdarg.h>
#include <wchar.h>

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room);
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room);
wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room);
int __swprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *fmt, ...);
int __vswprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *fmt, va_list ap);
size_t __mbstowcs_chk(wchar_t *to, const char *s, size_t n, size_t room);
size_t __wcstombs_chk(char *to, const wchar_t *s, size_t n, size_t room);
size_t __mbsrtowcs_chk(wchar_t *to, const char **s, size_t n, mbstate_t *state, size_t room);
size_t __wcsrtombs_chk(char *to, const wchar_t **s, size_t n, mbstate_t *state, size_t room);

static wchar_t wide[32] = L"abc";
static const wchar_t *volatile text = L"wide"; /* keeps the compiler from computing results */
static int numbers[4] = { 3, 1, 2 };

/* The first characters as one number. */
static long sum(const wchar_t *s)
{
    return s[0] + 256 * s[1] + 65536 * s[2];
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int listed(int (*print)(wchar_t *, size_t, const wchar_t *, va_list), size_t n, const wchar_t *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int length = print(wide, n, fmt, ap);
    va_end(ap);
    return length;
}

static int checked(wchar_t *to, size_t n, const wchar_t *fmt, va_list ap)
{
    return __vswprintf_chk(to, n, 0, 32, fmt, ap);
}

CALL(wcslen, return (long)wcslen(text);)
CALL(wcsnlen, return (long)wcsnlen(text, 3);)
CALL(wcscpy, return sum(wcscpy(wide, text));)
CALL(__wcscpy_chk, return sum(__wcscpy_chk(wide, text, 32));)
CALL(wcpcpy, return wcpcpy(wide, text) - wide;)
CALL(__wcpcpy_chk, return __wcpcpy_chk(wide, text, 32) - wide;)
CALL(wcsncpy, return sum(wcsncpy(wide, text, 2));)
CALL(__wcsncpy_chk, return sum(__wcsncpy_chk(wide, text, 2, 32));)
CALL(wcscat, wide[1] = 0; return sum(wcscat(wide, text));)
CALL(__wcscat_chk, wide[1] = 0; return sum(__wcscat_chk(wide, text, 32));)
CALL(wcsncat, wide[1] = 0; return sum(wcsncat(wide, text, 1));)
CALL(__wcsncat_chk, wide[1] = 0; return sum(__wcsncat_chk(wide, text, 1, 32));)
CALL(wcsdup, wchar_t *s = wcsdup(text); long n = sum(s); free(s); return n;)
CALL(wcscmp, return wcscmp(text, L"wild") < 0;)
CALL(wcsncmp, return wcsncmp(text, L"wild", 2);)
CALL(wcscasecmp, return wcscasecmp(text, L"WIDE");)
CALL(wcscoll, return wcscoll(text, L"wild") < 0;)
CALL(wcschr, return wcschr(text, L'd') - text;)
CALL(wcsrchr, return wcsrchr(text, L'e') - text;)
CALL(wcsstr, return wcsstr(text, L"id") - text;)
CALL(wcspbrk, return wcspbrk(text, L"de") - text;)
CALL(wcsspn, return (long)wcsspn(text, L"iw");)
CALL(wcscspn, return (long)wcscspn(text, L"d");)
CALL(wmemcpy, return sum(wmemcpy(wide, text, 3));)
CALL(__wmemcpy_chk, return sum(__wmemcpy_chk(wide, text, 3, 32));)
CALL(wmempcpy, return wmempcpy(wide, text, 3) - wide;)
CALL(wmemmove, return sum(wmemmove(wide + 1, wide, 3));)
CALL(__wmemmove_chk, return sum(__wmemmove_chk(wide + 1, wide, 3, 31));)
CALL(wmemset, return sum(wmemset(wide, L'x', 3));)
CALL(__wmemset_chk, return sum(__wmemset_chk(wide, L'x', 3, 32));)
CALL(wmemchr, return wmemchr(text, L'd', 4) - text;)
CALL(wmemcmp, return wmemcmp(text, L"wide", 4);)
CALL(swprintf, return swprintf(wide, 32, L"%d", 1234) + sum(wide);)
CALL(__swprintf_chk, return __swprintf_chk(wide, 32, 0, 32, L"%d", 1234) + sum(wide);)
CALL(vswprintf, return listed(vswprintf, 32, L"%d", 1234) + sum(wide);)
CALL(__vswprintf_chk, return listed(checked, 32, L"%d", 1234) + sum(wide);)
CALL(mbstowcs, return (long)mbstowcs(wide, "bytes", 32) + sum(wide);)
CALL(__mbstowcs_chk, return (long)__mbstowcs_chk(wide, "bytes", 32, 32) + sum(wide);)
CALL(wcstombs, char to[16]; return (long)wcstombs(to, text, 16) + to[1];)
CALL(__wcstombs_chk, char to[16]; return (long)__wcstombs_chk(to, text, 16, 16) + to[1];)
CALL(mbsrtowcs, const char *s = "bytes"; mbstate_t m = { 0 }; return (long)mbsrtowcs(wide, &s, 32, &m) + sum(wide);)
CALL(__mbsrtowcs_chk, const char *s = "bytes"; mbstate_t m = { 0 };
     return (long)__mbsrtowcs_chk(wide, &s, 32, &m, 32) + sum(wide);)
CALL(wcsrtombs, char to[16]; const wchar_t *s = text; mbstate_t m = { 0 };
     return (long)wcsrtombs(to, &s, 16, &m) + to[1];)
CALL(__wcsrtombs_chk, char to[16]; const wchar_t *s = text; mbstate_t m = { 0 };
     return (long)__wcsrtombs_chk(to, &s, 16, &m, 16) + to[1];)
CALL(modf, double w; return (long)(100 * modf(numbers[0] + 0.25, &w) + w);)
CALL(modff, float w; return (long)(100 * modff((float)numbers[0] + 0.25F, &w) + w);)
CALL(modfl, long double w; return (long)(100 * modfl(numbers[0] + 0.25L, &w) + w);)
CALL(frexp, int e; return (long)(100 * frexp(numbers[0], &e)) + e;)
CALL(frexpf, int e; return (long)(100 * frexpf((float)numbers[0], &e)) + e;)
CALL(frexpl, int e; return (long)(100 * frexpl(numbers[0], &e)) + e;)
CALL(rand_r, unsigned seed = 5; return rand_r(&seed);)
CALL(erand48, unsigned short s[3] = { 1, 2, 3 }; return (long)(1e6 * erand48(s));)
CALL(nrand48, unsigned short s[3] = { 1, 2, 3 }; return nrand48(s);)
CALL(jrand48, unsigned short s[3] = { 1, 2, 3 }; return jrand48(s);)
CALL(srand48_r, struct drand48_data d = { 0 }; return srand48_r(7, &d);)
CALL(drand48_r, struct drand48_data d = { 0 }; double v; srand48_r(7, &d);
     return drand48_r(&d, &v) + (long)(1e6 * v);)
CALL(lrand48_r, struct drand48_data d = { 0 }; long v; srand48_r(7, &d); return lrand48_r(&d, &v) + v;)
CALL(mrand48_r, struct drand48_data d = { 0 }; long v; srand48_r(7, &d); return mrand48_r(&d, &v) + v;)
CALL(initstate_r, struct random_data d = { 0 }; char s[64]; return initstate_r(7, s, sizeof s, &d);)
CALL(srandom_r, struct random_data d = { 0 }; char s[64]; initstate_r(7, s, sizeof s, &d); return srandom_r(9, &d);)
CALL(random_r, struct random_data d = { 0 }; char s[64]; int v; initstate_r(7, s, sizeof s, &d);
     return random_r(&d, &v) + v;)
CALL(sigemptyset, sigset_t s; return sigemptyset(&s) + sigismember(&s, 3);)
CALL(sigfillset, sigset_t s; return sigfillset(&s) + sigismember(&s, 3);)
CALL(sigaddset, sigset_t s; sigemptyset(&s); return sigaddset(&s, 3) + 2 * sigismember(&s, 3);)
CALL(sigdelset, sigset_t s; sigfillset(&s); return sigdelset(&s, 3) + 2 * sigismember(&s, 3) + sigismember(&s, 4);)
CALL(sigismember, sigset_t s; sigemptyset(&s); return sigismember(&s, 3);)
CALL(strsep, char s[] = "a,b", *rest = s; return strsep(&rest, ",")[0] + rest[0];)
CALL(swab, char to[5] = ""; swab("abcd", to, 4); return to[0] + 256 * to[1];)
CALL(strptime, struct tm t = { 0 }; return strptime("12:34", "%H:%M", &t) != NULL ? t.tm_min : -1;)
CALL(insque, struct { void *next, *previous; } a = { 0 }, b = { 0 }; insque(&a, NULL); insque(&b, &a);
     return a.next == &b && b.previous == &a;)
CALL(remque, struct { void *next, *previous; } a = { 0 }, b = { 0 }; insque(&a, NULL); insque(&b, &a);
     remque(&b); return a.next == NULL;)
CALL(tsearch, void *root = NULL; return **(int **)tsearch(&numbers[1], &root, compare);)
CALL(tfind, void *root = NULL; tsearch(&numbers[1], &root, compare);
     return tfind(&numbers[1], &root, compare) != NULL;)
CALL(tdelete, void *root = NULL; tsearch(&numbers[1], &root, compare);
     return tdelete(&numbers[1], &root, compare) != NULL && root == NULL;)
CALL(lsearch, size_t n = 3; int key = 9;
     return (int *)lsearch(&key, numbers, &n, sizeof key, compare) - numbers + 10 * (long)n;)
CALL(lfind, size_t n = 3; int key = 1; return (int *)lfind(&key, numbers, &n, sizeof key, compare) - numbers;)
CALL(iconv, iconv_t c = iconv_open("UCS-2", "UTF-8"); char in[] = "ab", out[8] = "", *i = in, *o = out; size_t n = 2, m = 8;
     long rc = (long)iconv(c, &i, &n, &o, &m); iconv_close(c); return rc + (o - out) + out[2];)
CALL(regcomp, regex_t re; int rc = regcomp(&re, "b(c)", REG_EXTENDED); regfree(&re); return rc;)
CALL(regexec, regex_t re; regmatch_t at[2]; regcomp(&re, "b(c)", REG_EXTENDED); int rc = regexec(&re, "abcd", 2, at, 0);
     regfree(&re); return rc * 100 + at[1].rm_so;)
CALL(strxfrm, char to[8]; return (long)strxfrm(to, "abc", sizeof to) + to[1];)
CALL(mbrtowc, wchar_t c; mbstate_t m = { 0 }; return (long)mbrtowc(&c, "xy", 2, &m) + c;)
CALL(mbtowc, wchar_t c; return mbtowc(&c, "xy", 2) + c;)
CALL(wcrtomb, char to[16]; mbstate_t m = { 0 }; return (long)wcrtomb(to, L'x', &m) + to[0];)
CALL(wctomb, char to[16]; return wctomb(to, L'x') + to[0];)
