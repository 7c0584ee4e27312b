/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stdio.c - stdio streams.
 *
 * Threads share a stream: the first reader gets the first line, and the first writer comes first in
 * the file.  So every call is a visible operation on the stream and on its file (shared_state.h,
 * files.h).  Output that Heddle captures is not an operation (shared_state.h, U4), and costs one
 * test while there is only one thread.
 *
 * If one fiber held a stream by libc's flockfile and another fiber printed, the only kernel thread would hang.  So
 * flockfile takes only a logical lock, and the calls that would wait for it inside libc wait for it here.  The
 * recursive lock is the model's mutex on the object of the stream.  A print that finds its stream free might have had
 * to wait in another order.  So in a program that calls flockfile at all, a print by a thread that does not hold the
 * stream is an operation, which commutes with other prints.
 *
 * Reading from a stream on an empty pipe would block all fibers.  So the thread waits as for a read
 * (io.c), until the stream's buffer contains the line or the bytes that it wants. libc waits for
 * the rest only if they do not fit into the buffer, or if the amount is not known (scanf). */
#define __NO_INLINE__ 1 /* prevents the inline definitions of putchar etc. in the header */

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/report/finding.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/hooks/format.h"
#include "runtime/sys/memory_ops.h"

static bool locks; /* the program imports flockfile or ftrylockfile */
static uint32_t nlocked; /* streams that a thread has locked in this execution */

void hd_stdio_init(void)
{
    static const char *const names[] = { "flockfile", "ftrylockfile", NULL };

    locks = hd_imports_any(names);
}

void hd_stdio_begin(void)
{
    nlocked = 0;
}

/* Records a lock that hd_stdio_init did not expect: a library that was loaded later makes it. */
static void note_lock(void)
{
    if (!locks)
        hd_fact(HD_FACT_OUTPUT);
}

static void lock(struct hd_obj *o, uint64_t pc)
{
    hd_take_effect(o, HD_EV_MUTEX_LOCK, 0);
    o->sync.count = 1;
    o->pc = pc;
    nlocked++;
    hd_done(0, 0);
}

static void unlock(struct hd_obj *o, uint64_t pc)
{
    if (o->sync.count > 1) {
        o->sync.count--;
        return;
    }
    hd_op(HD_EV_MUTEX_UNLOCK, o, NULL, pc);
    hd_take_effect(o, HD_EV_MUTEX_UNLOCK, 0);
    o->sync.count = 0;
    nlocked--;
    hd_done(0, 0);
}

static void model_flockfile(FILE *f, uint64_t pc)
{
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->sync.owner == hd.cur->tid) {
        o->sync.count++;
        return;
    }
    note_lock();
    hd_op(HD_EV_MUTEX_LOCK, o, NULL, pc);
    lock(o, pc);
}

static int model_ftrylockfile(FILE *f, uint64_t pc)
{
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->sync.owner == hd.cur->tid) {
        o->sync.count++;
        return 0;
    }
    note_lock();
    hd_op(HD_EV_MUTEX_TRYLOCK, o, NULL, pc);
    if (o->sync.owner != HD_NO_TID) {
        hd_name_owner(o->sync.owner);
        hd_done(EBUSY, HD_EVF_FAILED);
        return EBUSY;
    }
    lock(o, pc);
    return 0;
}

static void model_funlockfile(FILE *f, uint64_t pc)
{
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);

    if (o->sync.owner == hd.cur->tid)
        unlock(o, pc);
    else
        hd_misuse(pc, "T%u calls funlockfile for a stream that it does not hold", hd.cur->tid);
}

/* ---- calls that need the stream ---------------------------------------------------- */

enum use { PRINTS, READS, ASKS, OTHER };

static bool is_held(const struct hd_obj *o)
{
    return o->sync.owner != HD_NO_TID && o->sync.owner != hd.cur->tid;
}

/* What a read needs: this many bytes, or all bytes up to the character `end` (-1: none). */
struct wanted {
    size_t bytes;
    int end;
};

static const struct wanted something = { 1, -1 };

static bool is_empty(const FILE *f)
{
    return f->_IO_read_ptr >= f->_IO_read_end;
}

static bool has(const FILE *f, struct wanted w)
{
    const char *p = f->_IO_read_ptr;

    if (is_empty(f))
        return w.bytes == 0;
    if ((size_t)(f->_IO_read_end - p) >= w.bytes)
        return true;
    while (w.end >= 0 && p < f->_IO_read_end)
        if ((unsigned char)*p++ == w.end)
            return true;
    return false;
}

/* True if the current call uses a pipe.  The operation is recorded before the call (shared_state.h,
 * U3), and the call may then write to the pipe, read from it or close it.  So after the call
 * waiting threads must be checked again. */
static bool pipe_used;

static inline void pipe_changed(void)
{
    if (HD_UNLIKELY(pipe_used))
        hd_io_changed();
    pipe_used = false;
}

/* Moves the unread bytes to the beginning of the buffer. */
static void make_room(FILE *f)
{
    size_t left = (size_t)(f->_IO_read_end - f->_IO_read_ptr);

    for (size_t i = 0; f->_IO_read_ptr > f->_IO_buf_base && i < left; i++)
        f->_IO_buf_base[i] = f->_IO_read_ptr[i];
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_buf_base;
    f->_IO_read_end = f->_IO_buf_base + left;
}

/* Appends bytes from the pipe to the unread ones.  Returns true if there were any and they fit. */
static bool append(FILE *f)
{
    enum { IN_BACKUP = 0x100, PUTTING = 0x800 }; /* flags of libc: characters were pushed back; the stream
                                                  * is in write mode */

    if ((f->_flags & (IN_BACKUP | PUTTING)) != 0 || f->_mode > 0 ||
        (size_t)(f->_IO_read_end - f->_IO_read_ptr) >= (size_t)(f->_IO_buf_end - f->_IO_buf_base))
        return false;
    hd_io_writes(f->_IO_buf_base, (size_t)(f->_IO_buf_end - f->_IO_buf_base));
    make_room(f);
    long n = hd_sys(SYS_read, f->_fileno, f->_IO_read_end, f->_IO_buf_end - f->_IO_read_end);

    if (n > 0)
        f->_IO_read_end += n;
    return n > 0;
}

/* Makes one operation on the pipe.  With `waits`, waits until there is something to read. */
static void use_pipe(const FILE *f, bool waits, uint64_t pc)
{
    hd_io_begin(f->_fileno, POLLIN, waits, pc);
    hd_channel_turn(); /* it is not known when the bytes in the buffer were or will be written */
    hd_channel_flow(0, 0);
}

/* Waits for input and reads it into the buffer. libc reads the first part itself.  Returns false at
 * the end of the file or if the buffer is full. */
static bool fetch(FILE *f, uint64_t pc)
{
    use_pipe(f, true, pc);
    bool more = is_empty(f) ? HD_REAL(ungetc)(HD_REAL(getc)(f), f) != EOF : append(f);

    hd_io_changed();
    return more;
}

/* Makes one operation on the stream.  It fails if another thread holds the stream.  Then waits
 * until the wanted input is in the buffer. */
static void use_stream(FILE *f, struct hd_obj *o, enum use use, struct wanted w, uint64_t pc)
{
    bool begun = hd_shared_begin(HD_EV_STATE_WRITE, o, pc);
    bool waits = use == READS && !has(f, w);
    bool pipe = (begun || waits) && hd_files_is_pipe(f->_fileno);

    hd_shared_end(begun, begun && is_held(o));
    hd_shared_also(begun, hd_files_position(f->_fileno), true, pc);
    hd_shared_also(begun, hd_files_contents(f->_fileno), use == PRINTS || use == OTHER || pipe, pc);
    hd_files_contents_flow(begun && use != OTHER, hd_files_contents(f->_fileno), use == PRINTS, pc);
    if (!pipe)
        return;
    bool blocks = (hd_sys(SYS_fcntl, f->_fileno, F_GETFL, 0) & O_NONBLOCK) == 0;

    if (waits && blocks && !is_held(o))
        while (!has(f, w) && fetch(f, pc))
            continue;
    else
        use_pipe(f, waits && is_empty(f), pc);
    pipe_used = true;
}

static void print(struct hd_obj *o, uint64_t pc)
{
    bool begun = hd_shared_begin(HD_EV_STATE_UPDATE, o, pc);

    hd_shared_end(begun, begun && is_held(o));
}

/* Makes the operation of a call on f and waits until no other thread holds f.  Returns the lock
 * that it took for the call, or NULL if it took none. */
static HD_COLD struct hd_obj *meet(FILE *f, enum use use, struct wanted w, uint64_t pc)
{
    struct hd_obj *o = hd_object(f, HD_OBJ_FILE);
    bool output = hd_files_is_output(f->_fileno);

    if (!output)
        use_stream(f, o, use, w, pc);
    else if ((use == READS || use == OTHER) && hd_shared_may_conflict())
        hd_fact(HD_FACT_OUTPUT);
    else if (locks && o->sync.owner != hd.cur->tid)
        print(o, pc);
    if (!is_held(o))
        return NULL;
    hd_op(HD_EV_MUTEX_LOCK, o, NULL, pc);
    lock(o, pc);
    pipe_used |= !output && hd_files_is_pipe(f->_fileno); /* check again: other threads have run since use_stream */
    return o;
}

/* enter and leave are called before and after the real call. */
static inline struct hd_obj *enter_for(FILE *f, enum use use, struct wanted w, uint64_t pc)
{
    if (hd.cur == NULL || f == NULL || HD_LIKELY(hd.exec->nthreads == 1))
        return NULL;
    return meet(f, use, w, pc);
}

static inline struct hd_obj *enter(FILE *f, enum use use, uint64_t pc)
{
    return enter_for(f, use, something, pc);
}

static inline void leave(struct hd_obj *o, uint64_t pc)
{
    pipe_changed();
    if (HD_UNLIKELY(o != NULL))
        unlock(o, pc);
}

/* PASS: an interposer that first waits until no other thread holds the stream.  PASS_OUT: an interposer that prints
 * memory of the caller; `before` notes its accesses.  PASS_WANTS: an interposer that reads this many bytes, or up to
 * this character; `after` notes what it has written to memory of the caller. */
#define PASS(type, name, params, args, use, stream) \
    PASS_FOR(type, name, params, args, use, something, stream, (void)0, (void)0)
#define PASS_THEN(type, name, params, args, use, stream, after) \
    PASS_FOR(type, name, params, args, use, something, stream, (void)0, after)
#define PASS_OUT(type, name, params, args, stream, before) \
    PASS_FOR(type, name, params, args, PRINTS, something, stream, before, (void)0)
#define PASS_WANTS(type, name, params, args, bytes, end, stream, after) \
    PASS_FOR(type, name, params, args, READS, ((struct wanted){ bytes, end }), stream, (void)0, after)
#define PASS_FOR(type, name, params, args, use, wanted, stream, before, after) \
    HD_EXPORT type name params                     \
    {                                              \
        if (hd.cur != NULL)                        \
            before;                                \
        struct hd_obj *lock_ = enter_for(stream, use, wanted, HD_PC); \
        type result = HD_REAL(name) args;          \
                                                   \
        leave(lock_, HD_PC);                       \
        if (hd.cur != NULL)                        \
            after;                                 \
        return result;                             \
    }

#define PASS_VOID(type, name, params, args, use, stream)  \
    HD_EXPORT type name params                            \
    {                                                     \
        struct hd_obj *lock_ = enter(stream, use, HD_PC); \
                                                          \
        HD_REAL(name) args;                               \
        leave(lock_, HD_PC);                              \
    }

/* A variadic interposer, which calls `sister`, the variant with a va_list. */
#define PASS_VARIADIC(type, name, params, args, use, sister, last, stream) \
    VARIADIC_FOR(type, name, params, args, use, sister, last, stream, (void)0, (void)0)
#define PRINTS_VARIADIC(type, name, params, args, sister, stream) \
    VARIADIC_FOR(type, name, params, args, PRINTS, sister, fmt, stream, note_format(fmt, ap, HD_PC), (void)0)
#define SCANS_STREAM(type, name, params, args, sister, stream)                       \
    VARIADIC_FOR(type, name, params, args, READS, sister, fmt, stream, (void)0,      \
                 hd_format_scanned(fmt, again, result, HD_PC))
#define VARIADIC_FOR(type, name, params, args, use, sister, last, stream, before, after) \
    HD_EXPORT type name params                                        \
    {                                                                 \
        va_list ap, again;                                            \
                                                                      \
        va_start(ap, last);                                           \
        va_copy(again, ap);                                           \
        if (hd.cur != NULL)                                           \
            before;                                                   \
        struct hd_obj *lock_ = enter(stream, use, HD_PC);             \
        type result = HD_REAL(sister) args;                           \
        leave(lock_, HD_PC);                                          \
        if (hd.cur != NULL)                                           \
            after;                                                    \
        va_end(again);                                                \
        va_end(ap);                                                   \
        return result;                                                \
    }

static struct wanted all_of(size_t size, size_t n)
{
    struct wanted w = { SIZE_MAX, -1 };

    if (__builtin_mul_overflow(size, n, &w.bytes))
        w.bytes = SIZE_MAX;
    return w;
}

/* ---- memory of the caller ------------------------------------------------------------- */

static void note_format(const char *fmt, va_list ap, uint64_t pc)
{
    hd_format_printed(hd_range_of_call, fmt, ap, pc);
}

static void note_line(const char *s, uint64_t pc)
{
    if (s != NULL)
        hd_range_of_call(s, hd_length(s) + 1, true, pc);
}

/* Notes the line of getline, in a block that it may have allocated or moved. */
static void note_grown(char **line, size_t *n, ssize_t length, uint64_t pc)
{
    hd_range_of_call(line, sizeof *line, true, pc);
    hd_range_of_call(n, sizeof *n, true, pc);
    if (length >= 0)
        hd_range_of_call(*line, (size_t)length + 1, true, pc);
}

/* Entry points that headers declare only under _FORTIFY_SOURCE or by another name. */
int __printf_chk(int flag, const char *fmt, ...);
int __fprintf_chk(FILE *f, int flag, const char *fmt, ...);
int __vprintf_chk(int flag, const char *fmt, va_list ap);
int __fwprintf_chk(FILE *f, int flag, const wchar_t *fmt, ...);
int __wprintf_chk(int flag, const wchar_t *fmt, ...);
int __vfwprintf_chk(FILE *f, int flag, const wchar_t *fmt, va_list ap);
int __vwprintf_chk(int flag, const wchar_t *fmt, va_list ap);
wchar_t *__fgetws_chk(wchar_t *s, size_t size, int n, FILE *f);
int __isoc99_wscanf(const wchar_t *fmt, ...);
int __isoc99_fwscanf(FILE *f, const wchar_t *fmt, ...);
int __isoc99_vwscanf(const wchar_t *fmt, va_list ap);
int __isoc99_vfwscanf(FILE *f, const wchar_t *fmt, va_list ap);
int __vfprintf_chk(FILE *f, int flag, const char *fmt, va_list ap);
char *__fgets_chk(char *s, size_t size, int n, FILE *f);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
int __isoc99_scanf(const char *fmt, ...);
int __isoc99_fscanf(FILE *f, const char *fmt, ...);
int __isoc99_vscanf(const char *fmt, va_list ap);
int __isoc99_vfscanf(FILE *f, const char *fmt, va_list ap);

/* scanf and its variants: these are the names since C99.  The older functions differ in %a. */

/* If f is NULL, it flushes all streams.  That is not modelled as an operation but recorded as a
 * fact. */
HD_EXPORT int fflush(FILE *f)
{
    if (f == NULL && hd_shared_may_conflict())
        hd_fact(HD_FACT_STATE);
    struct hd_obj *o = enter(f, PRINTS, HD_PC);
    int result = HD_REAL(fflush)(f);

    leave(o, HD_PC);
    return result;
}

/* vdprintf and dprintf write to a descriptor. */
HD_EXPORT int vdprintf(int fd, const char *fmt, va_list ap)
{
    note_format(fmt, ap, HD_PC);
    bool begun = hd_io_begin(fd, POLLOUT, fd > STDERR_FILENO, HD_PC);
    int result = HD_REAL(vdprintf)(fd, fmt, ap);

    hd_io_end(begun, result);
    return result;
}

HD_EXPORT int dprintf(int fd, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    note_format(fmt, ap, HD_PC);
    bool begun = hd_io_begin(fd, POLLOUT, fd > STDERR_FILENO, HD_PC);
    int result = HD_REAL(vdprintf)(fd, fmt, ap);
    va_end(ap);
    hd_io_end(begun, result);
    return result;
}

HD_EXPORT void perror(const char *s)
{
    int error = errno;

    hd_range_of_text(s, HD_PC);
    struct hd_obj *o = enter(stderr, PRINTS, HD_PC);

    errno = error; /* waiting may have changed it */
    HD_REAL(perror)(s);
    leave(o, HD_PC);
}

/* Closing a stream ends its lock, even if the caller itself holds it. */
static int close_stream(FILE *f, int (*real)(FILE *), uint64_t pc)
{
    int fd = f->_fileno;
    struct hd_obj *o = nlocked != 0 ? hd_object(f, HD_OBJ_FILE) : NULL;
    bool pipe = hd_files_is_pipe(fd);

    enter(f, OTHER, pc);
    if (o != NULL && o->sync.owner == hd.cur->tid) {
        o->sync.count = 1;
        unlock(o, pc);
    }
    hd_state_use(HD_EV_STATE_UPDATE, HD_STATE_DESCRIPTORS, pc);
    hd_files_closed(fd);
    pipe_used |= pipe; /* other threads have run since enter, and may have used pipes */
    int result = real(f);

    pipe_changed();
    return result;
}

HD_EXPORT int fclose(FILE *f)
{
    return hd.cur == NULL || f == NULL ? HD_REAL(fclose)(f) : close_stream(f, HD_REAL(fclose), HD_PC);
}

HD_EXPORT int pclose(FILE *f)
{
    return hd.cur == NULL || f == NULL ? HD_REAL(pclose)(f) : close_stream(f, HD_REAL(pclose), HD_PC);
}

/* ---- buffers that the kernel writes to ------------------------------------------------ */

/* Makes the caller's buffer writable: a large fread reads directly into it. */
static inline void touch(void *p, size_t size, size_t n)
{
    size_t bytes;

    if (hd.cur != NULL && p != NULL && !__builtin_mul_overflow(size, n, &bytes))
        hd_snapshot_touch(p, bytes);
}

HD_EXPORT size_t fread(void *p, size_t size, size_t n, FILE *f)
{
    struct hd_obj *o = enter_for(f, READS, all_of(size, n), HD_PC);

    touch(p, size, n);
    size_t got = HD_REAL(fread)(p, size, n, f);

    leave(o, HD_PC);
    hd_range_of_call(p, got * size, true, HD_PC);
    return got;
}

HD_EXPORT size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f)
{
    struct hd_obj *o = enter_for(f, READS, all_of(size, n), HD_PC);

    touch(p, size, n);
    size_t got = HD_REAL(__fread_chk)(p, room, size, n, f);

    leave(o, HD_PC);
    hd_range_of_call(p, got * size, true, HD_PC);
    return got;
}

HD_EXPORT int setvbuf(FILE *f, char *buf, int mode, size_t size)
{
    struct hd_obj *o = enter(f, OTHER, HD_PC);

    touch(buf, 1, size);
    int rc = HD_REAL(setvbuf)(f, buf, mode, size);

    leave(o, HD_PC);
    return rc;
}

/* Notes the write of the line that fgetws has stored. */
static void note_wide_line(const wchar_t *s, const wchar_t *result, uint64_t pc)
{
    if (result != NULL)
        hd_range_of_call(s, (HD_REAL(wcslen)(s) + 1) * sizeof *s, true, pc);
}

#define CALLS_STDIO
#include "runtime/calls/calls.def"
