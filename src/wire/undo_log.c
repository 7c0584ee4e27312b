/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo_log.c - restores files from the log.  It is also linked into the target, so it makes no libc calls. */
#include "wire/undo_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/sys.h"

enum { PIECE = 64 * 1024 };

/* Static, because a stack of the target may be protected: the kernel then fails with EFAULT. */
static struct stat status;
static char piece[PIECE], there[PIECE];
static char text[HD_UNDO_ATTRIBUTES];

static bool get(int fd, void *p, uint64_t n, uint64_t at)
{
    return hd_sys6(SYS_pread64, fd, (long)p, (long)n, (long)at, 0, 0) == (long)n;
}

static bool equal(const char *a, const char *b, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool look(const char *path)
{
    return hd_sys(SYS_lstat, path, &status, 0) == 0;
}

static bool remove_name(const char *path)
{
    long rc = hd_sys(SYS_unlink, path, 0, 0);

    if (rc == -EISDIR || rc == -EPERM)
        rc = hd_sys(SYS_rmdir, path, 0, 0);
    return rc == 0 || rc == -ENOENT || rc == -ENOTDIR;
}

/* Sets the owner first, because changing it clears bits of the mode. */
static bool put_owner_and_mode(const struct hd_undo_record *r, const char *path)
{
    bool done = true;

    if (!look(path))
        return false;
    if (status.st_uid != r->uid || status.st_gid != r->gid)
        done = hd_sys(SYS_lchown, path, r->uid, r->gid) == 0;
    if (!S_ISLNK(r->mode))
        done = hd_sys(SYS_chmod, path, r->mode & 07777, 0) == 0 && done;
    return done;
}

/* Makes n bytes of the file at `to` equal to the log.  Does not write bytes that are unchanged: if this process
 * is killed here, the file is damaged no more than the target has damaged it. */
static bool put_piece(int log_fd, long fd, uint64_t at, uint64_t to, uint64_t n)
{
    if (!get(log_fd, piece, n, at))
        return false;
    return (get((int)fd, there, n, to) && equal(there, piece, n)) ||
           hd_sys6(SYS_pwrite64, fd, (long)piece, (long)n, (long)to, 0, 0) == (long)n;
}

/* Writes into the existing file if there still is one, so that its other names keep referring to it. */
static bool put_contents(int log_fd, const struct hd_undo_record *r, const char *path, uint64_t at)
{
    long flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    uint64_t done = 0, n;

    if (look(path) && !S_ISREG(status.st_mode))
        remove_name(path);
    long fd = hd_sys(SYS_open, path, flags, 0600);

    if (fd == -EACCES) { /* the execution has removed the permission, or this is another file */
        hd_sys(SYS_unlink, path, 0, 0);
        fd = hd_sys(SYS_open, path, flags, 0600);
    }
    if (fd < 0)
        return false;
    for (; done < r->bytes; done += n) {
        n = r->bytes - done < PIECE ? r->bytes - done : PIECE;
        if (!put_piece(log_fd, fd, at + done, done, n))
            break;
    }
    bool all = done == r->bytes && hd_sys(SYS_ftruncate, fd, r->bytes, 0) == 0;

    all = put_owner_and_mode(r, path) && all;
    hd_sys6(SYS_utimensat, fd, 0, (long)&r->accessed, 0, 0, 0);
    hd_sys(SYS_close, fd, 0, 0);
    return all;
}

static bool put_node(const struct hd_undo_record *r, const char *path)
{
    if (!look(path) || (status.st_mode & S_IFMT) != (r->mode & S_IFMT)) {
        remove_name(path);
        if (hd_sys(SYS_mknod, path, r->mode, r->device) != 0)
            return false;
    }
    return put_owner_and_mode(r, path);
}

static bool is_inode(const char *path, uint64_t inode)
{
    return look(path) && status.st_ino == inode;
}

static size_t length(const char *s)
{
    size_t n = 0;

    while (s[n] != '\0')
        n++;
    return n;
}

/* Returns the recorded value of the attribute and its size, or NULL if the attribute did not exist.  The record
 * has `bytes` bytes. */
static const char *recorded_value(const char *name, uint64_t bytes, uint32_t *size)
{
    for (uint64_t at = 0; at < bytes;) {
        size_t n = length(text + at) + 1;

        if (at + n + sizeof *size > bytes)
            return NULL;
        for (unsigned i = 0; i < sizeof *size; i++)
            ((char *)size)[i] = text[at + n + i];
        if (*size > bytes - at - n - sizeof *size)
            return NULL;
        if (length(name) + 1 == n && equal(name, text + at, n))
            return text + at + n + sizeof *size;
        at += n + sizeof *size + *size;
    }
    return NULL;
}

/* Removes new attributes and restores the old values. */
static bool put_xattrs(const char *path, uint64_t bytes)
{
    bool done = true;
    uint32_t size;
    long n = hd_sys(SYS_llistxattr, path, piece, PIECE);

    for (long at = 0; at < n; at += (long)length(piece + at) + 1)
        if (recorded_value(piece + at, bytes, &size) == NULL)
            done = hd_sys(SYS_lremovexattr, path, piece + at, 0) == 0 && done;
    for (uint64_t at = 0; at < bytes;) {
        const char *value = recorded_value(text + at, bytes, &size);

        if (value == NULL)
            return false;
        n = hd_sys6(SYS_lgetxattr, (long)path, (long)(text + at), (long)there, PIECE, 0, 0);
        if (n != (long)size || !equal(there, value, size))
            done = hd_sys6(SYS_lsetxattr, (long)path, (long)(text + at), (long)value, size, 0, 0) == 0 && done;
        at = (uint64_t)(value - text) + size;
    }
    return done;
}

/* True if the object has been removed, by this call or before. */
static bool is_gone(long rc)
{
    return rc >= 0 || rc == -EINVAL || rc == -EIDRM || rc == -ENOENT;
}

static bool put_back(int log_fd, const struct hd_undo_record *r, const char *path, uint64_t contents)
{
    switch ((enum hd_undo_kind)r->kind) {
    case HD_UNDO_ABSENT:
        return remove_name(path);
    case HD_UNDO_CONTENTS:
        return put_contents(log_fd, r, path, contents);
    case HD_UNDO_DIRECTORY:
        if (!look(path) && hd_sys(SYS_mkdir, path, r->mode & 07777, 0) != 0)
            return false;
        return put_owner_and_mode(r, path);
    case HD_UNDO_LINK:
        remove_name(path);
        return hd_sys(SYS_symlink, text, path, 0) == 0 && put_owner_and_mode(r, path);
    case HD_UNDO_NODE:
        return put_node(r, path);
    case HD_UNDO_MOVED:
        return !is_inode(path, r->inode) || hd_sys(SYS_rename, path, text, 0) == 0;
    case HD_UNDO_EXCHANGED: /* 2 is RENAME_EXCHANGE */
        return !is_inode(path, r->inode) ||
               hd_sys6(SYS_renameat2, AT_FDCWD, (long)path, AT_FDCWD, (long)text, 2, 0) == 0;
    case HD_UNDO_SEGMENT:
        return is_gone(hd_sys(SYS_shmctl, r->inode, IPC_RMID, 0));
    case HD_UNDO_SEMAPHORES:
        return is_gone(hd_sys(SYS_semctl, r->inode, 0, IPC_RMID));
    case HD_UNDO_MESSAGES:
        return is_gone(hd_sys(SYS_msgctl, r->inode, IPC_RMID, 0));
    case HD_UNDO_QUEUE: /* the kernel expects its name without the slash */
        return is_gone(hd_sys(SYS_mq_unlink, path + 1, 0, 0));
    case HD_UNDO_XATTRS:
        return put_xattrs(path, r->bytes);
    }
    return false;
}

unsigned hd_undo_log_put_back(int log_fd)
{
    static char path[HD_UNDO_PATH];
    static struct hd_undo_record r;
    static uint64_t at;
    unsigned failed = 0;
    uint64_t none = 0;

    if (log_fd < 0 || !get(log_fd, &at, sizeof at, 0) || at == 0)
        return 0; /* nothing was logged */
    for (; at != 0; at = r.before) {
        uint64_t here = at;

        if (!get(log_fd, &r, sizeof r, at) || r.before >= here || r.path == 0 || r.path > HD_UNDO_PATH ||
            !get(log_fd, path, r.path, at + sizeof r) || path[0] != '/' || path[r.path - 1] != '\0') {
            failed++; /* damaged: the records before it cannot be found */
            break;
        }
        uint64_t contents = at + sizeof r + r.path;
        bool has_text = r.kind != HD_UNDO_CONTENTS && r.bytes != 0;

        if (has_text && (r.bytes > sizeof text || !get(log_fd, text, r.bytes, contents) ||
                         (r.kind != HD_UNDO_XATTRS && text[r.bytes - 1] != '\0')))
            failed++;
        else
            failed += !put_back(log_fd, &r, path, contents);
    }
    hd_sys(SYS_ftruncate, log_fd, sizeof none, 0);
    hd_sys6(SYS_pwrite64, log_fd, (long)&none, sizeof none, 0, 0, 0);
    return failed;
}
