/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_stdio.c - locks of stdio streams.
 *
 * A stream that one fiber has locked with libc's flockfile would hang the only
 * kernel thread when another fiber prints.  So flockfile takes a logical lock
 * only, and the calls that would wait for it inside libc wait for it here.  They
 * are no scheduling points as long as nobody holds the stream, and cost one test
 * when no stream is locked at all.
 *
 * The recursive lock is the model's mutex on the stream's own object. */
#define __NO_INLINE__ 1 /* the header's own bodies of putchar and the like would be in the way */

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "runtime/intercept.h"
#include "runtime/real.h"

static void lock(struct hd_obj *o, uint64_t pc)
{
    o->owner = hd.cur->tid;
    o->count = 1;
    o->pc = pc;
    hd.file_locks++;
    hd_done(0, 0);
}

static void unlock(struct hd_obj *o, uint64_t pc)
{
    if (o->count > 1) {
        o->count--;
        return;
    }
    hd_op(HD_EV_MUTEX_UNLOCK, o, NULL, pc);
    o->owner = HD_NO_TID;
    o->count = 0;
    hd.file_locks--;
    hd_done(0, 0);
}

HD_EXPORT void flockfile(FILE *f)
{
    if (hd.cur == NULL) {
        HD_REAL(flockfile)(f);
        return;
    }
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->owner == hd.cur->tid) {
        o->count++;
        return;
    }
    hd_op(HD_EV_MUTEX_LOCK, o, NULL, HD_PC);
    lock(o, HD_PC);
}

HD_POLL_ENTRY(ftrylockfile);
int hd_impl_ftrylockfile(FILE *f)
{
    if (hd.cur == NULL)
        return HD_REAL(ftrylockfile)(f);
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->owner == hd.cur->tid) {
        o->count++;
        return 0;
    }
    hd_op(HD_EV_MUTEX_TRYLOCK, o, NULL, HD_PC);
    if (o->owner != HD_NO_TID) {
        hd_blame(o->owner);
        hd_done(EBUSY, HD_EVF_FAILED);
        return EBUSY;
    }
    lock(o, HD_PC);
    return 0;
}

HD_EXPORT void funlockfile(FILE *f)
{
    if (hd.cur == NULL) {
        HD_REAL(funlockfile)(f);
        return;
    }
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->owner == hd.cur->tid)
        unlock(o, HD_PC);
    else
        hd_misuse(HD_PC, "T%u calls funlockfile for a stream that it does not hold", hd.cur->tid);
}

/* ---- calls that need the stream ---------------------------------------------------- */

static HD_COLD struct hd_obj *wait_for(FILE *f, uint64_t pc)
{
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->owner == HD_NO_TID || o->owner == hd.cur->tid)
        return NULL;
    hd_op(HD_EV_MUTEX_LOCK, o, NULL, pc);
    lock(o, pc);
    return o;
}

/* Around the real call: the lock that was taken for it, or NULL. */
static inline struct hd_obj *enter(FILE *f, uint64_t pc)
{
    if (HD_LIKELY(hd.cur == NULL || hd.file_locks == 0) || f == NULL)
        return NULL;
    return wait_for(f, pc);
}

static inline void leave(struct hd_obj *o, uint64_t pc)
{
    if (HD_UNLIKELY(o != NULL))
        unlock(o, pc);
}

/* An interposer that only waits: result type, name, parameters, arguments, stream. */
#define PASS(type, name, params, args, stream)     \
    HD_EXPORT type name params                     \
    {                                              \
        struct hd_obj *lock_ = enter(stream, HD_PC); \
        type result = HD_REAL(name) args;          \
                                                   \
        leave(lock_, HD_PC);                       \
        return result;                             \
    }

/* A variadic one, which goes on in its sister that takes a va_list. */
#define PASS_VARIADIC(type, name, sister, params, args, last, stream) \
    HD_EXPORT type name params                                        \
    {                                                                 \
        struct hd_obj *lock_ = enter(stream, HD_PC);                  \
        va_list ap;                                                   \
                                                                      \
        va_start(ap, last);                                           \
        type result = HD_REAL(sister) args;                           \
        va_end(ap);                                                   \
        leave(lock_, HD_PC);                                          \
        return result;                                                \
    }

/* Entry points that headers declare only under _FORTIFY_SOURCE or by another name. */
int __printf_chk(int flag, const char *fmt, ...);
int __fprintf_chk(FILE *f, int flag, const char *fmt, ...);
int __vprintf_chk(int flag, const char *fmt, va_list ap);
int __vfprintf_chk(FILE *f, int flag, const char *fmt, va_list ap);
char *__fgets_chk(char *s, size_t size, int n, FILE *f);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
int __isoc99_scanf(const char *fmt, ...);
int __isoc99_fscanf(FILE *f, const char *fmt, ...);
int __isoc99_vscanf(const char *fmt, va_list ap);
int __isoc99_vfscanf(FILE *f, const char *fmt, va_list ap);

PASS_VARIADIC(int, printf, vprintf, (const char *fmt, ...), (fmt, ap), fmt, stdout)
PASS_VARIADIC(int, fprintf, vfprintf, (FILE *f, const char *fmt, ...), (f, fmt, ap), fmt, f)
PASS(int, vprintf, (const char *fmt, va_list ap), (fmt, ap), stdout)
PASS(int, vfprintf, (FILE *f, const char *fmt, va_list ap), (f, fmt, ap), f)
PASS_VARIADIC(int, __printf_chk, __vprintf_chk, (int flag, const char *fmt, ...),
              (flag, fmt, ap), fmt, stdout)
PASS_VARIADIC(int, __fprintf_chk, __vfprintf_chk, (FILE *f, int flag, const char *fmt, ...),
              (f, flag, fmt, ap), fmt, f)
PASS(int, __vprintf_chk, (int flag, const char *fmt, va_list ap), (flag, fmt, ap), stdout)
PASS(int, __vfprintf_chk, (FILE *f, int flag, const char *fmt, va_list ap), (f, flag, fmt, ap), f)
PASS_VARIADIC(int, fwprintf, vfwprintf, (FILE *f, const wchar_t *fmt, ...), (f, fmt, ap), fmt, f)
PASS_VARIADIC(int, wprintf, vwprintf, (const wchar_t *fmt, ...), (fmt, ap), fmt, stdout)

PASS(int, puts, (const char *s), (s), stdout)
PASS(int, fputs, (const char *s, FILE *f), (s, f), f)
PASS(int, fputc, (int c, FILE *f), (c, f), f)
PASS(int, putc, (int c, FILE *f), (c, f), f)
PASS(int, putchar, (int c), (c), stdout)
PASS(int, putw, (int w, FILE *f), (w, f), f)
PASS(int, fputws, (const wchar_t *s, FILE *f), (s, f), f)
PASS(wint_t, fputwc, (wchar_t c, FILE *f), (c, f), f)
PASS(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f), f)
PASS(int, fflush, (FILE * f), (f), f)

PASS(char *, fgets, (char *s, int n, FILE *f), (s, n, f), f)
PASS(char *, __fgets_chk, (char *s, size_t size, int n, FILE *f), (s, size, n, f), f)
PASS(int, fgetc, (FILE * f), (f), f)
PASS(int, getc, (FILE * f), (f), f)
PASS(int, getchar, (void), (), stdin)
PASS(int, ungetc, (int c, FILE *f), (c, f), f)
PASS(wint_t, fgetwc, (FILE * f), (f), f)
PASS(ssize_t, getline, (char **line, size_t *n, FILE *f), (line, n, f), f)
PASS(ssize_t, getdelim, (char **line, size_t *n, int end, FILE *f), (line, n, end, f), f)
PASS(ssize_t, __getdelim, (char **line, size_t *n, int end, FILE *f), (line, n, end, f), f)

/* scanf and its sisters: the name since C99; the older one has another %a. */
PASS_VARIADIC(int, __isoc99_scanf, __isoc99_vscanf, (const char *fmt, ...), (fmt, ap), fmt, stdin)
PASS_VARIADIC(int, __isoc99_fscanf, __isoc99_vfscanf, (FILE *f, const char *fmt, ...),
              (f, fmt, ap), fmt, f)
PASS(int, __isoc99_vscanf, (const char *fmt, va_list ap), (fmt, ap), stdin)
PASS(int, __isoc99_vfscanf, (FILE *f, const char *fmt, va_list ap), (f, fmt, ap), f)

PASS(int, feof, (FILE * f), (f), f)
PASS(int, ferror, (FILE * f), (f), f)
PASS(int, fileno, (FILE * f), (f), f)
PASS(long, ftell, (FILE * f), (f), f)
PASS(off_t, ftello, (FILE * f), (f), f)
PASS(int, fseek, (FILE * f, long offset, int whence), (f, offset, whence), f)
PASS(int, fseeko, (FILE * f, off_t offset, int whence), (f, offset, whence), f)

HD_EXPORT void perror(const char *s)
{
    int error = errno;
    struct hd_obj *o = enter(stderr, HD_PC);

    errno = error; /* waiting may have changed it */
    HD_REAL(perror)(s);
    leave(o, HD_PC);
}

HD_EXPORT void rewind(FILE *f)
{
    struct hd_obj *o = enter(f, HD_PC);

    HD_REAL(rewind)(f);
    leave(o, HD_PC);
}

/* The lock ends with the stream, also when the caller itself holds it. */
HD_EXPORT int fclose(FILE *f)
{
    enter(f, HD_PC);
    if (hd.cur != NULL && hd.file_locks != 0) {
        struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

        if (o->owner == hd.cur->tid) {
            o->count = 1;
            unlock(o, HD_PC);
        }
    }
    return HD_REAL(fclose)(f);
}

/* ---- buffers that the kernel writes to ------------------------------------------------ */

/* A large fread reads straight into the caller's memory. */
static inline void touch(void *p, size_t size, size_t n)
{
    size_t bytes;

    if (hd.cur != NULL && !__builtin_mul_overflow(size, n, &bytes))
        hd_snapshot_touch(p, bytes);
}

HD_EXPORT size_t fread(void *p, size_t size, size_t n, FILE *f)
{
    struct hd_obj *o = enter(f, HD_PC);

    touch(p, size, n);
    size_t got = HD_REAL(fread)(p, size, n, f);

    leave(o, HD_PC);
    return got;
}

HD_EXPORT size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f)
{
    struct hd_obj *o = enter(f, HD_PC);

    touch(p, size, n);
    size_t got = HD_REAL(__fread_chk)(p, room, size, n, f);

    leave(o, HD_PC);
    return got;
}

HD_EXPORT size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f)
{
    touch(p, size, n);
    return HD_REAL(fread_unlocked)(p, size, n, f);
}

HD_EXPORT int setvbuf(FILE *f, char *buf, int mode, size_t size)
{
    struct hd_obj *o = enter(f, HD_PC);

    if (buf != NULL)
        touch(buf, 1, size);
    int rc = HD_REAL(setvbuf)(f, buf, mode, size);

    leave(o, HD_PC);
    return rc;
}

HD_EXPORT void setbuf(FILE *f, char *buf)
{
    if (buf != NULL)
        touch(buf, 1, BUFSIZ);
    HD_REAL(setbuf)(f, buf);
}
