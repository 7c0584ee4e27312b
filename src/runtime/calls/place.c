/* SPDX-License-Identifier: BSD-2-Clause
 *
 * place.c - calls that read or write a file at a given offset.  They do not use the position of the
 * open file, so they conflict with other operations only through the contents (files.h). */
#include <limits.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/state.h"
#include "runtime/kernel/files.h"
#include "runtime/sys/compiler.h"

ssize_t __pread_chk(int fd, void *buf, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *buf, size_t n, off64_t at, size_t room);

/* An interposer of a call that reads or writes the contents.  It runs `before` first and `after` at
 * the end. */
#define AT_PLACE(type, name, params, args, kind, before, after)                         \
    HD_EXPORT type name params                                                          \
    {                                                                                   \
        before;                                                                         \
        if (hd.cur == NULL)                                                             \
            return HD_REAL(name) args;                                                  \
        bool begun = hd_files_contents_begin(HD_EV_STATE_##kind, fd, HD_PC);            \
        type result = HD_REAL(name) args;                                               \
                                                                                        \
        hd_shared_end(begun, result < 0);                                               \
        hd_files_contents_flow(begun && result >= 0, hd_files_contents(fd),             \
                               HD_EV_STATE_##kind == HD_EV_STATE_WRITE, HD_PC);         \
        after;                                                                          \
        return result;                                                                  \
    }

/* Values of `before` for calls that write to memory and are cancellation points. */
#define INTO(p, n) (hd_io_writes(p, n), hd_cancel_point())
#define INTO_VECTOR(v, n) (hd_io_vector_writes(v, n), hd_cancel_point())
/* Values of `before` for calls that read memory and are cancellation points. */
#define FROM(p, n) (hd_cancel_point(), hd_range_of_call(p, n, false, HD_PC))
#define FROM_VECTOR(v, n) (hd_cancel_point(), hd_io_vector_accessed(v, n, SSIZE_MAX, false, HD_PC))

#define CALLS_PLACE
#include "runtime/calls/calls.def"
