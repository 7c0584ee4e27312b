/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file.c - files by name: opening them, and changing the file system and attributes of files.
 * Heddle undoes changes of the file system after the execution (undo.h).  Opening a file for
 * writing requests fork isolation, because the worker then has its own offsets and descriptors. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/random.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/pids.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/process.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/transaction.h"

static bool has_prefix(const char *s, const char *prefix)
{
    while (*prefix != '\0')
        if (*s++ != *prefix++)
            return false;
    return true;
}

/* ---- opening ----------------------------------------------------------------------- */

static bool is_same(const char *s, const char *t)
{
    while (*s != '\0' && *s == *t)
        s++, t++;
    return *s == *t;
}

static bool is_random_device(const char *path)
{
    return is_same(path, "/dev/urandom") || is_same(path, "/dev/random");
}

/* False for devices: they have no contents that Heddle could restore. */
static bool is_file(const char *path)
{
    return !has_prefix(path, "/dev/") || has_prefix(path, "/dev/shm/");
}

static HD_COLD void opened(int dir, const char *path, bool writes)
{
    hd_changes.io = 1;
    if (is_random_device(path)) {
        hd_uncontrolled("reading /dev/urandom");
    } else if (writes && is_file(path)) {
        hd_undo_contents(dir, path);
        hd_prefers_fork("it opens a file for writing");
    }
}

/* Call it before libc creates a file with a name of its own choice or without a name.  The undo
 * entry is made after the creation (made). */
static HD_COLD void opens_new(void)
{
    hd_turn_for_files(); /* once the file exists, Heddle can no longer abandon the execution */
    hd_changes.io = 1;
    hd_prefers_fork("it opens a file for writing");
}

/* Records the file for undo if it was created.  Returns `result`, which is the return value of the call. */
static int made(int result, const char *path)
{
    if (result >= 0)
        hd_undo_made(path);
    return result;
}

/* Opens a file with random bytes in place of a random device.  The bytes depend on the execution
 * and the thread, like those of getrandom.  Returns -1 if that fails; the caller then opens the
 * device. */
static HD_COLD int open_random(int flags)
{
    enum { BYTES = 64 * 1024 };
    static unsigned char bytes[BYTES];
    long fd = hd_sys(SYS_memfd_create, "random", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0, 0);

    hd_changes.io = 1;
    if (fd < 0)
        return -1;
    hd_random_fill(bytes, BYTES);
    if (hd_sys6(SYS_pwrite64, fd, (long)bytes, BYTES, 0, 0, 0) == BYTES)
        return (int)fd;
    hd_sys(SYS_close, fd, 0, 0);
    return -1;
}

static bool flags_write(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

static bool mode_has(const char *mode, char letter)
{
    for (; *mode != '\0'; mode++)
        if (*mode == letter)
            return true;
    return false;
}

static bool mode_writes(const char *mode)
{
    return mode_has(mode, 'w') || mode_has(mode, 'a') || mode_has(mode, '+');
}

/* A controlled thread opens path.  Returns the descriptor, or -1 if the caller must make the real
 * call. */
static int open_instead(int dir, const char *path, int flags)
{
    if (HD_UNLIKELY(path[0] == '/' && !flags_write(flags) && is_random_device(path))) {
        int fd = open_random(flags);

        if (fd >= 0)
            return fd;
    }
    opened(dir, path, flags_write(flags));
    return -1;
}

static FILE *stream_instead(const char *path, const char *mode)
{
    int fd = -1;

    if (is_random_device(path) && !mode_writes(mode))
        fd = open_random(mode_has(mode, 'e') ? O_CLOEXEC : 0);
    if (fd >= 0)
        return HD_REAL(fdopen)(fd, mode);
    opened(AT_FDCWD, path, mode_writes(mode));
    return NULL;
}

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

/* Begins a call that takes a free descriptor number.  Returns the same as hd_shared_begin. */
static bool take_begin(uint64_t pc)
{
    hd_tx_calls_kernel(pc);
    hd_io_descriptor();
    return hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, pc);
}

/* Call it after path was opened with these flags as fd.  Opening for writing counts as a change of
 * names: a stat(path) that ran before the open did not know this file as an open one, and must still
 * conflict with the open. */
static void taken(bool begun, int fd, const char *path, int flags, uint64_t pc)
{
    hd_shared_end(begun, fd < 0);
    hd_files_opened(fd);
    hd_files_named(begun, path, fd >= 0 && flags_write(flags), pc);
    hd_files_flow_open(begun && fd >= 0, flags, pc);
    if (fd >= 0 && (flags & O_TRUNC) != 0)
        hd_shared_also(begun, hd_files_contents(fd), true, pc);
}

static int mode_flags(const char *mode)
{
    if (!mode_writes(mode))
        return O_RDONLY;
    return O_RDWR | (mode_has(mode, 'w') ? O_TRUNC : 0) | (mode_has(mode, 'x') ? O_CREAT | O_EXCL : 0);
}

static int fd_of(const FILE *f)
{
    return f != NULL ? f->_fileno : -1;
}

static int fd_of_directory(DIR *d)
{
    return d != NULL ? dirfd(d) : -1;
}

/* The body of an interposer that opens path in dir with flags. */
#define OPEN_BY(call, dir)                             \
    if (hd.cur == NULL)                                \
        return call;                                   \
    hd_range_of_text(path, HD_PC);                     \
    path = hd_pid_path(path);                          \
    hd_cancel_point();                                 \
    if (hd_fifo_blocks(dir, path, flags))              \
        return hd_fifo_open(dir, path, flags, HD_PC);  \
    bool begun = take_begin(HD_PC);                    \
    int fd = open_instead(dir, path, flags);           \
                                                       \
    if (fd < 0)                                        \
        fd = call;                                     \
    taken(begun, fd, path, flags, HD_PC);              \
    return fd

#define OPENS(type, name, params, args, dir) \
    HD_EXPORT type name params               \
    {                                        \
        OPEN_BY(HD_REAL(name) args, dir);    \
    }

/* The mode is always read and passed on.  The kernel ignores it unless the flags ask for it. */
#define OPENS_MODE(type, name, params, args, dir) \
    HD_EXPORT type name params                    \
    {                                             \
        va_list ap;                               \
                                                  \
        va_start(ap, flags);                      \
        mode_t mode = va_arg(ap, mode_t);         \
        va_end(ap);                               \
        OPEN_BY(HD_REAL(name) args, dir);         \
    }

/* An interposer that takes a descriptor number.  It runs `note` first. fd is an expression of
 * result; path was opened with flags. */
#define TAKES(type, name, params, args, note, fd, path, flags) \
    HD_EXPORT type name params                                 \
    {                                                          \
        if (hd.cur == NULL)                                    \
            return HD_REAL(name) args;                         \
        bool begun = take_begin(HD_PC);                        \
        note;                                                  \
        type result = HD_REAL(name) args;                      \
                                                               \
        taken(begun, fd, path, flags, HD_PC);                  \
        return result;                                         \
    }

#define NEW_FILE (O_RDWR | O_CREAT)

/* Returns the open flags of a stream mode, as far as they matter for a FIFO. */
static int stream_flags(const char *mode)
{
    return mode_has(mode, '+') ? O_RDWR : mode_writes(mode) ? O_WRONLY : O_RDONLY;
}

static FILE *stream_on(int fd, const char *mode)
{
    return fd >= 0 ? HD_REAL(fdopen)(fd, mode) : NULL;
}

#define FOPEN(type, name, params, args)                            \
    HD_EXPORT type name params                                     \
    {                                                              \
        if (hd.cur == NULL)                                        \
            return HD_REAL(name) args;                             \
        hd_range_of_text(path, HD_PC);                             \
        path = hd_pid_path(path);                                  \
        if (hd_fifo_blocks(AT_FDCWD, path, stream_flags(mode)))    \
            return stream_on(hd_fifo_open(AT_FDCWD, path, stream_flags(mode), HD_PC), mode); \
        bool begun = take_begin(HD_PC);                            \
        FILE *f = stream_instead(path, mode);                      \
                                                                   \
        if (f == NULL)                                             \
            f = HD_REAL(name) args;                                \
        taken(begun, fd_of(f), path, mode_flags(mode), HD_PC);     \
        return f;                                                  \
    }

/* freopen also uses the stream itself, like any call in stdio.c. */
#define FREOPEN(type, name, params, args)                                 \
    HD_EXPORT type name params                                            \
    {                                                                     \
        if (hd.cur == NULL)                                               \
            return HD_REAL(name) args;                                    \
        if (hd_files_is_output(fd_of(f)) && hd_shared_may_conflict())           \
            hd_fact(HD_FACT_OUTPUT);                                      \
        bool begun = take_begin(HD_PC);                                   \
        if (path != NULL)                                                 \
            opened(AT_FDCWD, path, mode_writes(mode));                    \
        struct hd_obj *before = hd_files_position(fd_of(f));              \
        FILE *made = HD_REAL(name) args;                                  \
                                                                          \
        taken(begun, fd_of(made), path, mode_flags(mode), HD_PC);         \
        hd_shared_also(begun, hd_object(f, HD_OBJ_FILE), true, HD_PC);    \
        hd_shared_also(begun, before, true, HD_PC);                       \
        return made;                                                      \
    }

/* ---- copying descriptors --------------------------------------------------------------- */

/* Ends a call that has copied fd to the number `to`. `before` is the object for the file position of the descriptor
 * that had this number before. */
static void copied(bool begun, int fd, int to, struct hd_obj *before, uint64_t pc)
{
    hd_shared_end(begun, to < 0);
    hd_shared_also(begun, before, true, pc);
    hd_files_copied(fd, to);
}

/* Begins a call that implicitly closes descriptor `to`.  Returns true if it was a pipe: the
 * thread at the other end will notice the close. */
static bool replaces_begin(int to, uint64_t pc)
{
    bool pipe = hd_files_is_pipe(to);

    if (!pipe)
        return false;
    hd_io_attempt(pc);
    hd_channel_flow(0, 0);
    return true;
}

/* An interposer that copies fd. `to` is the given number, or -1 if the kernel chooses one. */
#define COPIES(type, name, params, args, to)                                             \
    HD_EXPORT int name params                                                      \
    {                                                                              \
        if (hd.cur == NULL)                                                        \
            return HD_REAL(name) args;                                             \
        if (hd_files_is_output(to) && hd_shared_may_conflict())                          \
            hd_fact(HD_FACT_OUTPUT);                                               \
        struct hd_obj *before = hd_files_position(to);                             \
        bool pipe = replaces_begin(to, HD_PC), begun = take_begin(HD_PC);          \
        int result = HD_REAL(name) args;                                           \
                                                                                   \
        copied(begun, fd, result, before, HD_PC);                                  \
        if (pipe)                                                                  \
            hd_io_changed();                                                       \
        return result;                                                             \
    }

/* ---- changes of the file system -------------------------------------------------------- */

/* An interposer of a call that changes a file or its name.  `undo` records the state before the
 * call; `named` records the names that the call used. */
#define CHANGES(type, name, params, args, told, undo, named)                     \
    HD_EXPORT type name params                                                   \
    {                                                                            \
        if (hd.cur == NULL)                                                      \
            return HD_REAL(name) args;                                           \
        told;                                                                    \
        bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_NAMES, HD_PC);   \
        undo;                                                                    \
        type result = HD_REAL(name) args;                                        \
                                                                                 \
        hd_shared_end(begun, result != 0);                                       \
        named;                                                                   \
        hd_files_flow(begun && result == 0, HD_FLOW_LEARNS | HD_FLOW_TELLS, HD_PC); \
        return result;                                                           \
    }
#define NAMES(type, name, params, args, path, undo) \
    CHANGES(type, name, params, args, hd_range_of_text(path, HD_PC), undo, hd_files_named(begun, path, result == 0, HD_PC))
#define ATTRIBUTE(type, name, params, args, undo) CHANGES(type, name, params, args, (void)0, undo, (void)0)

/* A path that is NULL or empty means the descriptor itself. */
static void undo_either(int dir, const char *path, int flags)
{
    if (path == NULL || path[0] == '\0')
        hd_undo_descriptor(dir);
    else if ((flags & AT_SYMLINK_NOFOLLOW) != 0)
        hd_undo_name(dir, path);
    else
        hd_undo_contents(dir, path);
}

/* mkdtemp fills in the name, so the undo entry is made after the call. */
static char *model_mkdtemp(char *path, uint64_t pc)
{
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_NAMES, pc);

    hd_turn_for_files();
    char *result = HD_REAL(mkdtemp)(path);

    if (result != NULL)
        hd_undo_made(result);
    hd_shared_end(begun, result == NULL);
    hd_files_named(begun, path, result != NULL, pc);
    hd_files_flow(begun && result != NULL, HD_FLOW_LEARNS | HD_FLOW_TELLS, pc);
    return result;
}

#define CALLS_FILE
#include "runtime/calls/calls.def"
