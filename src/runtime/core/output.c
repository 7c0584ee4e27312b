/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.c - descriptors 1 and 2 of the target are a memory file, which is emptied before each
 * execution.  A program that prints nothing costs nothing: stdio's own buffers show whether it was
 * used, and write(2) is intercepted (io_used). */
#include "runtime/core/output.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

static long out_fd = -1;
static long user_fd = -1; /* the user's standard output, if the output is shown and captured */
static bool written; /* stdio was flushed in this execution */
static long kept = -1; /* number of bytes that remain if the process ends without exit(); -1: all */
static struct {
    const char *base, *ptr;
} stdout_before, stderr_before;

void hd_output_init(void)
{
    if (hd.cfg->replay && hd.cfg->show_output && hd.cfg->expect == HD_EXPECT_NOTHING)
        return; /* output goes straight to the user */
    if (hd.cfg->replay && hd.cfg->show_output)
        user_fd = hd_sys(SYS_fcntl, 1, F_DUPFD_CLOEXEC, 3);
    out_fd = hd_sys(SYS_memfd_create, "heddle-output", 1 /* MFD_CLOEXEC */, 0);
    HD_INVARIANT(out_fd >= 0, "no memory file for the target's output");
    hd_sys(SYS_fcntl, out_fd, F_SETFL, O_APPEND);
    hd_sys(SYS_dup2, out_fd, 1, 0);
    hd_sys(SYS_dup2, out_fd, 2, 0);
    stdout_before.base = stdout->_IO_write_base;
    stdout_before.ptr = stdout->_IO_write_ptr;
    stderr_before.base = stderr->_IO_write_base;
    stderr_before.ptr = stderr->_IO_write_ptr;
}

static bool stdio_was_used(void)
{
    if (out_fd < 0)
        return true;
    return stdout->_IO_write_ptr != stdout_before.ptr || stdout->_IO_write_base != stdout_before.base ||
           stderr->_IO_write_ptr != stderr_before.ptr || stderr->_IO_write_base != stderr_before.base;
}

void hd_output_flush(void)
{
    struct hd_thread *cur = hd.cur;

    if (!stdio_was_used())
        return;
    hd.cur = NULL;
    HD_REAL(fflush)(stdout);
    hd.cur = cur;
    written = true;
}

/* Returns true if f is locked: the first word of glibc's _IO_lock_t is not 0. */
static bool is_locked(const FILE *f)
{
    return *(const int *)(const void *)f->_lock != 0;
}

bool hd_output_is_locked(void)
{
    return is_locked(stdout) || is_locked(stderr);
}

size_t hd_output_read(char *buf, size_t cap)
{
    struct stat st;

    if (out_fd < 0 || hd_sys(SYS_fstat, out_fd, &st, 0) != 0)
        return 0;
    long from = st.st_size > (long)cap ? st.st_size - (long)cap : 0;
    long n = hd_sys6(SYS_pread64, out_fd, (long)buf, (long)cap, from, 0, 0);

    return n > 0 ? (size_t)n : 0;
}

size_t hd_output_whole(char *buf, size_t cap)
{
    long n = out_fd < 0 ? 0 : hd_sys6(SYS_pread64, out_fd, (long)buf, (long)cap, 0, 0, 0);

    if (kept >= 0 && n > kept)
        n = kept;
    return n > 0 ? (size_t)n : 0;
}

void hd_output_ends(void)
{
    struct stat st;

    if (out_fd >= 0 && hd_sys(SYS_fstat, out_fd, &st, 0) == 0)
        kept = st.st_size;
}

void hd_output_show(void)
{
    char piece[4096];
    long n;

    for (long at = 0; user_fd >= 0 && (n = hd_sys6(SYS_pread64, out_fd, (long)piece, sizeof piece, at, 0, 0)) > 0; at += n)
        hd_sys(SYS_write, user_fd, piece, n);
}

long hd_output_size(void)
{
    struct stat st;

    return out_fd >= 0 && hd_sys(SYS_fstat, out_fd, &st, 0) == 0 ? st.st_size : 0;
}

void hd_output_cut(long size)
{
    if (out_fd >= 0)
        hd_sys(SYS_ftruncate, out_fd, size, 0);
}

void hd_output_empty(void)
{
    hd_output_cut(0);
}

void hd_output_reset(bool io_used)
{
    if (written || stdio_was_used() || io_used)
        hd_output_empty();
    written = false;
    kept = -1;
}
