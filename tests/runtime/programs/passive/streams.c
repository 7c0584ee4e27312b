/* SPDX-License-Identifier: BSD-2-Clause
 *
 * streams.c - stdio. */
#include "passive.h"

#include <stdarg.h>
#include <stdio_ext.h>
#include <wchar.h>

#define BUF passive_buf
#define FLUSHED(call) ({ FILE *f = passive_stream(); long r_ = (call); r_ * 100 + fflush(f); })

char *__fgets_chk(char *s, size_t room, int n, FILE *f);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list ap);
int __vprintf_chk(int flag, const char *format, va_list ap);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
ssize_t __getdelim(char **line, size_t *n, int delimiter, FILE *f);
int old_fscanf(FILE *f, const char *format, ...) __asm__("fscanf");
int __isoc99_fscanf(FILE *f, const char *format, ...);
int __isoc99_scanf(const char *format, ...);
int __isoc99_vfscanf(FILE *f, const char *format, va_list ap);
int __isoc99_vscanf(const char *format, va_list ap);
int __fwprintf_chk(FILE *f, int flag, const wchar_t *format, ...);
int __wprintf_chk(int flag, const wchar_t *format, ...);
int __vfwprintf_chk(FILE *f, int flag, const wchar_t *format, va_list ap);
int __vwprintf_chk(int flag, const wchar_t *format, va_list ap);
wchar_t *__fgetws_chk(wchar_t *s, size_t room, int n, FILE *f);
int __isoc99_wscanf(const wchar_t *format, ...);
int __isoc99_fwscanf(FILE *f, const wchar_t *format, ...);
int __isoc99_vwscanf(const wchar_t *format, va_list ap);
int __isoc99_vfwscanf(FILE *f, const wchar_t *format, va_list ap);

static long with_list(int (*fn)(FILE *, const char *, va_list), FILE *f, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    long r = fn(f, format, ap);

    va_end(ap);
    return r;
}

static long with_wide(int (*fn)(FILE *, const wchar_t *, va_list), FILE *f, const wchar_t *format, ...)
{
    va_list ap;

    va_start(ap, format);
    long r = fn(f, format, ap);

    va_end(ap);
    return r;
}

static int wide_list(FILE *f, const wchar_t *format, va_list ap) { (void)f; return vwprintf(format, ap); }
static int wide_chk(FILE *f, const wchar_t *format, va_list ap) { (void)f; return __vwprintf_chk(1, format, ap); }
static int fwide_chk(FILE *f, const wchar_t *format, va_list ap) { return __vfwprintf_chk(f, 1, format, ap); }
static int wide_scan(FILE *f, const wchar_t *format, va_list ap) { (void)f; return __isoc99_vwscanf(format, ap); }
static int print_list(FILE *f, const char *format, va_list ap) { (void)f; return vprintf(format, ap); }
static int print_chk(FILE *f, const char *format, va_list ap) { (void)f; return __vprintf_chk(1, format, ap); }
static int fprint_chk(FILE *f, const char *format, va_list ap) { return __vfprintf_chk(f, 1, format, ap); }
static int descriptor_list(FILE *f, const char *format, va_list ap) { return vdprintf(fileno(f), format, ap); }
static int scan_list(FILE *f, const char *format, va_list ap) { (void)f; return __isoc99_vscanf(format, ap); }

CALL(fopen, return fread(BUF, 1, 9, passive_stream());)
CALL(fopen64, fclose(passive_stream()); return fread(BUF, 1, 9, fopen64(passive_name, "r"));)
CALL(freopen, return freopen("/dev/null", "r", passive_stream()) != NULL;)
CALL(freopen64, return freopen64("/dev/null", "r", passive_stream()) != NULL;)
CALL(fclose, return fclose(passive_stream());)
CALL(tmpfile, FILE *f = tmpfile(); return fputs("abc", f) + fclose(f);)
CALL(tmpfile64, FILE *f = tmpfile64(); return fputs("abc", f) + fclose(f);)
CALL(fflush, FILE *f = passive_stream(); fputs("x", f); return fflush(f) * 10 + fflush(NULL);)
CALL(fgetc, return fgetc(passive_stream());)
CALL(getc, return getc(passive_stream());)
CALL(getw, return getw(passive_stream());)
CALL(getchar, freopen("/dev/null", "r", stdin); return getchar();)
CALL(fgets, return fgets(BUF, 9, passive_stream()) == BUF ? (long)strlen(BUF) : -1;)
CALL(__fgets_chk, return __fgets_chk(BUF, 99, 9, passive_stream()) == BUF ? (long)strlen(BUF) : -1;)
CALL(fread, return fread(BUF, 2, 9, passive_stream());)
CALL(fputs_unlocked, return fputs_unlocked("ab", passive_stream());)
CALL(fputc_unlocked, return fputc_unlocked('a', passive_stream());)
CALL(putc_unlocked, return (putc_unlocked)('a', passive_stream());)
CALL(putchar_unlocked, return (putchar_unlocked)('\n');)
CALL(fwrite_unlocked, return (long)fwrite_unlocked("ab", 1, 2, passive_stream());)
CALL(fflush_unlocked, return fflush_unlocked(passive_stream());)
CALL(fgetc_unlocked, return fgetc_unlocked(passive_stream());)
CALL(getc_unlocked, return (getc_unlocked)(passive_stream());)
CALL(getchar_unlocked, return (getchar_unlocked)() >= EOF;)
CALL(fgets_unlocked, return fgets_unlocked(BUF, 9, passive_stream())[1];)
CALL(fread_unlocked, return fread_unlocked(BUF, 2, 9, passive_stream());)
CALL(__fread_chk, return __fread_chk(BUF, 99, 2, 9, passive_stream());)
CALL(getline, char *p = NULL; size_t n = 0; return getline(&p, &n, passive_stream());)
CALL(getdelim, char *p = NULL; size_t n = 0; return getdelim(&p, &n, 'l', passive_stream());)
CALL(__getdelim, char *p = NULL; size_t n = 0; return __getdelim(&p, &n, 'l', passive_stream());)
CALL(ungetc, FILE *f = passive_stream(); return ungetc('z', f) * 1000 + fgetc(f);)
CALL(__isoc99_fscanf, char w[9] = ""; return __isoc99_fscanf(passive_stream(), "%8s", w) * 1000 + w[0];)
CALL(__isoc99_scanf, freopen("/dev/null", "r", stdin); return __isoc99_scanf("%*s");)
CALL(__isoc99_vfscanf, char w[9] = ""; return with_list(__isoc99_vfscanf, passive_stream(), "%8s", w) * 1000 + w[1];)
CALL(__isoc99_vscanf, freopen("/dev/null", "r", stdin); return with_list(scan_list, NULL, "%*s");)
CALL(fputc, return FLUSHED(fputc('a', f));)
CALL(putc, return FLUSHED(putc('b', f));)
CALL(putw, return FLUSHED(putw(7, f));)
CALL(putchar, return putchar('.');)
CALL(puts, return puts("puts") >= 0;)
CALL(fputs, return FLUSHED(fputs("abc", f) >= 0);)
CALL(fwrite, return FLUSHED((long)fwrite("abcd", 2, 2, f));)
CALL(printf, return printf("%d ", 12);)
CALL(__printf_chk, return __printf_chk(1, "%d ", 12);)
CALL(vprintf, return with_list(print_list, NULL, "%d ", 123);)
CALL(__vprintf_chk, return with_list(print_chk, NULL, "%d ", 123);)
CALL(fprintf, return FLUSHED(fprintf(f, "%s", "abc"));)
CALL(__fprintf_chk, return FLUSHED(__fprintf_chk(f, 1, "%s", "abc"));)
CALL(vfprintf, return with_list(vfprintf, passive_stream(), "%d", 5);)
CALL(__vfprintf_chk, return with_list(fprint_chk, passive_stream(), "%d", 5);)
CALL(dprintf, return dprintf(passive_file(), "%d", 77);)
CALL(vdprintf, return with_list(descriptor_list, passive_stream(), "%d", 88);)
CALL(perror, close(2); open("/dev/null", O_WRONLY); perror("passive"); return 0;)
CALL(fseek, FILE *f = passive_stream(); return fseek(f, 2, SEEK_SET) + fgetc(f);)
CALL(fseeko, FILE *f = passive_stream(); return fseeko(f, 2, SEEK_SET) + fgetc(f);)
CALL(fseeko64, FILE *f = passive_stream(); return fseeko64(f, 2, SEEK_SET) + fgetc(f);)
CALL(ftell, FILE *f = passive_stream(); fgetc(f); return ftell(f);)
CALL(ftello, FILE *f = passive_stream(); fgetc(f); return ftello(f);)
CALL(ftello64, FILE *f = passive_stream(); fgetc(f); return ftello64(f);)
CALL(rewind, FILE *f = passive_stream(); fgetc(f); rewind(f); return fgetc(f);)
CALL(fgetpos, fpos_t p; return fgetpos(passive_stream(), &p);)
CALL(fgetpos64, fpos64_t p; return fgetpos64(passive_stream(), &p);)
CALL(fsetpos, fpos_t p; FILE *f = passive_stream(); fgetpos(f, &p); fgetc(f); return fsetpos(f, &p) + fgetc(f);)
CALL(fsetpos64, fpos64_t p; FILE *f = passive_stream(); fgetpos64(f, &p); fgetc(f); return fsetpos64(f, &p) + fgetc(f);)
CALL(feof, FILE *f = passive_stream(); fread(BUF, 1, 99, f); return feof(f) != 0;)
CALL(ferror, FILE *f = passive_stream(); return ferror(f);)
CALL(setbuf, FILE *f = passive_stream(); setbuf(f, NULL); return (long)__fbufsize(f);)
CALL(setvbuf, return setvbuf(passive_stream(), BUF, _IOFBF, 512);)
CALL(flockfile, FILE *f = passive_stream(); flockfile(f); int r = fgetc(f); funlockfile(f); return r;)
CALL(ftrylockfile, return ftrylockfile(passive_stream());)
CALL(funlockfile, FILE *f = passive_stream(); flockfile(f); funlockfile(f); return 0;)
CALL(fgetwc, return fgetwc(passive_stream());)
CALL(getwc, return getwc(passive_stream());)
CALL(fgetws, wchar_t w[9]; return fgetws(w, 9, passive_stream()) == w ? (long)wcslen(w) : -1;)
CALL(fputwc, return FLUSHED(fputwc(L'a', f));)
CALL(putwc, return FLUSHED(putwc(L'a', f));)
CALL(fputws, return FLUSHED(fputws(L"abc", f) >= 0);)
CALL(fwprintf, return FLUSHED(fwprintf(f, L"%d", 123));)
CALL(wprintf, return wprintf(L"%d ", 123);)
CALL(vwprintf, return with_wide(wide_list, NULL, L"%d ", 123);)
CALL(vfwprintf, return with_wide(vfwprintf, passive_stream(), L"%d", 5);)
CALL(__wprintf_chk, return __wprintf_chk(1, L"%d ", 123);)
CALL(__fwprintf_chk, return FLUSHED(__fwprintf_chk(f, 1, L"%d", 123));)
CALL(__vwprintf_chk, return with_wide(wide_chk, NULL, L"%d ", 123);)
CALL(__vfwprintf_chk, return with_wide(fwide_chk, passive_stream(), L"%d", 5);)
CALL(putwchar, return putwchar(L'.');)
CALL(getwchar, freopen("/dev/null", "r", stdin); return getwchar();)
CALL(ungetwc, FILE *f = passive_stream(); return ungetwc(L'z', f) * 1000 + fgetwc(f);)
CALL(__fgetws_chk, wchar_t w[9]; return __fgetws_chk(w, 9, 9, passive_stream()) == w ? (long)wcslen(w) : -1;)
CALL(__isoc99_fwscanf, wchar_t w[9] = L""; return __isoc99_fwscanf(passive_stream(), L"%8ls", w) * 1000 + w[0];)
CALL(__isoc99_wscanf, freopen("/dev/null", "r", stdin); return __isoc99_wscanf(L"%*s");)
CALL(__isoc99_vfwscanf, wchar_t w[9] = L"";
     return with_wide(__isoc99_vfwscanf, passive_stream(), L"%8ls", w) * 1000 + w[1];)
CALL(__isoc99_vwscanf, freopen("/dev/null", "r", stdin); return with_wide(wide_scan, NULL, L"%*s");)
CALL(clearerr, FILE *f = passive_stream(); fread(BUF, 1, 99, f); clearerr(f); return feof(f);)
CALL(setlinebuf, FILE *f = passive_stream(); setlinebuf(f); return __flbf(f);)
CALL(setbuffer, FILE *f = passive_stream(); setbuffer(f, BUF, 512); return fgetc(f);)
