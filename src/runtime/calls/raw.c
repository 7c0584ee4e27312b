/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw.c - system calls on descriptors, when they are made by syscall() or by the
 * instruction itself: libraries do so to avoid cancellation points, or where libc had no wrapper yet.
 *
 * Each goes on in the interposer of its wrapper.  If it went straight to the kernel, a thread
 * that waits at the other end of a pipe would not be told of it, and would look deadlocked.
 * Names of files are in intercept_raw_files.c, everything else in intercept_raw_process.c. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/calls/raw.h"
#include "runtime/core/rt.h"
#include "runtime/hooks/syscalls.h"

#define ADDRESS(i) ((__SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })
#define CONST_ADDRESS(i) ((__CONST_SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })

static long on_descriptors(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_read:
        return read(INT(0), PTR(1), SIZE(2));
    case SYS_write:
        return write(INT(0), PTR(1), SIZE(2));
    case SYS_pread64:
        return pread(INT(0), PTR(1), SIZE(2), a[3]);
    case SYS_pwrite64:
        return pwrite(INT(0), PTR(1), SIZE(2), a[3]);
    case SYS_preadv:
        return preadv(INT(0), PTR(1), INT(2), a[3]);
    case SYS_pwritev:
        return pwritev(INT(0), PTR(1), INT(2), a[3]);
    case SYS_preadv2:
        return preadv2(INT(0), PTR(1), INT(2), a[3], INT(5));
    case SYS_lseek:
        return lseek(INT(0), a[1], INT(2));
    case SYS_ftruncate:
        return ftruncate(INT(0), a[1]);
    case SYS_fstat:
        return fstat(INT(0), PTR(1));
    case SYS_fstatfs:
        return fstatfs(INT(0), PTR(1));
    case SYS_getdents64:
        return getdents64(INT(0), PTR(1), SIZE(2));
    case SYS_flock:
        return flock(INT(0), INT(1));
    case SYS_memfd_create:
        return memfd_create(PTR(0), (unsigned)a[1]);
    case SYS_readv:
        return readv(INT(0), PTR(1), INT(2));
    case SYS_writev:
        return writev(INT(0), PTR(1), INT(2));
    case SYS_close:
        return close(INT(0));
    case SYS_dup:
        return dup(INT(0));
    case SYS_dup2:
        return dup2(INT(0), INT(1));
    case SYS_dup3:
        return dup3(INT(0), INT(1), INT(2));
    case SYS_fcntl:
        return fcntl(INT(0), INT(1), PTR(2));
    case SYS_ioctl:
        return ioctl(INT(0), (unsigned long)a[1], PTR(2));
    case SYS_pipe:
        return pipe(PTR(0));
    case SYS_pipe2:
        return pipe2(PTR(0), INT(1));
    case SYS_eventfd:
        return eventfd((unsigned)a[0], 0);
    case SYS_eventfd2:
        return eventfd((unsigned)a[0], INT(1));
    case SYS_splice:
        return splice(INT(0), PTR(1), INT(2), PTR(3), SIZE(4), (unsigned)a[5]);
    case SYS_tee:
        return tee(INT(0), INT(1), SIZE(2), (unsigned)a[3]);
    case SYS_vmsplice:
        return vmsplice(INT(0), PTR(1), SIZE(2), (unsigned)a[3]);
    case SYS_sendfile:
        return sendfile(INT(0), INT(1), PTR(2), SIZE(3));
    default:
        *known = false;
        return 0;
    }
}

static long on_sockets(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_sendto:
        return sendto(INT(0), PTR(1), SIZE(2), INT(3), CONST_ADDRESS(4), (socklen_t)a[5]);
    case SYS_recvfrom:
        return recvfrom(INT(0), PTR(1), SIZE(2), INT(3), ADDRESS(4), PTR(5));
    case SYS_sendmsg:
        return sendmsg(INT(0), PTR(1), INT(2));
    case SYS_recvmsg:
        return recvmsg(INT(0), PTR(1), INT(2));
    case SYS_shutdown:
        return shutdown(INT(0), INT(1));
    case SYS_socketpair:
        return socketpair(INT(0), INT(1), INT(2), PTR(3));
    case SYS_socket:
        return socket(INT(0), INT(1), INT(2));
    case SYS_bind:
        return bind(INT(0), CONST_ADDRESS(1), (socklen_t)a[2]);
    case SYS_listen:
        return listen(INT(0), INT(1));
    case SYS_connect:
        return connect(INT(0), CONST_ADDRESS(1), (socklen_t)a[2]);
    case SYS_accept:
        return accept(INT(0), ADDRESS(1), PTR(2));
    case SYS_getsockname:
        return getsockname(INT(0), ADDRESS(1), PTR(2));
    case SYS_getpeername:
        return getpeername(INT(0), ADDRESS(1), PTR(2));
    case SYS_setsockopt:
        return setsockopt(INT(0), INT(1), INT(2), PTR(3), (socklen_t)a[4]);
    case SYS_getsockopt:
        return getsockopt(INT(0), INT(1), INT(2), PTR(3), PTR(4));
    case SYS_recvmmsg:
        return recvmmsg(INT(0), PTR(1), (unsigned)a[2], INT(3), PTR(4));
    case SYS_sendmmsg:
        return sendmmsg(INT(0), PTR(1), (unsigned)a[2], INT(3));
    case SYS_accept4:
        return accept4(INT(0), ADDRESS(1), PTR(2), INT(3));
    default:
        *known = false;
        return 0;
    }
}

static long on_several(long nr, const long a[6], uint64_t pc, bool *known)
{
    sigset_t mask;

    (void)pc;
    switch (nr) {
    case SYS_poll:
        return poll(PTR(0), (nfds_t)a[1], INT(2));
    case SYS_ppoll:
        return ppoll(PTR(0), (nfds_t)a[1], PTR(2), hd_raw_mask(&mask, PTR(3)));
    case SYS_select:
        return select(INT(0), PTR(1), PTR(2), PTR(3), PTR(4));
    case SYS_pselect6: /* the last one points to the mask and its size */
        return pselect(INT(0), PTR(1), PTR(2), PTR(3), PTR(4),
                       a[5] != 0 ? hd_raw_mask(&mask, *(void **)a[5]) : NULL);
    case SYS_epoll_create:
        return epoll_create(INT(0));
    case SYS_epoll_create1:
        return epoll_create1(INT(0));
    case SYS_epoll_ctl:
        return epoll_ctl(INT(0), INT(1), INT(2), PTR(3));
    case SYS_epoll_wait:
        return epoll_wait(INT(0), PTR(1), INT(2), INT(3));
    case SYS_epoll_pwait:
        return a[4] == 0 ? epoll_wait(INT(0), PTR(1), INT(2), INT(3))
                         : epoll_pwait(INT(0), PTR(1), INT(2), INT(3), hd_raw_mask(&mask, PTR(4)));
    case SYS_epoll_pwait2:
        return epoll_pwait2(INT(0), PTR(1), INT(2), PTR(3), hd_raw_mask(&mask, PTR(4)));
    case SYS_timerfd_create:
        return timerfd_create(INT(0), INT(1));
    case SYS_timerfd_settime:
        return timerfd_settime(INT(0), INT(1), PTR(2), PTR(3));
    case SYS_timerfd_gettime:
        return timerfd_gettime(INT(0), PTR(1));
    case SYS_signalfd:
        return signalfd(INT(0), hd_raw_mask(&mask, PTR(1)), 0);
    case SYS_signalfd4:
        return signalfd(INT(0), hd_raw_mask(&mask, PTR(1)), INT(3));
    case SYS_inotify_add_watch:
        return inotify_add_watch(INT(0), PTR(1), (uint32_t)a[2]);
    default:
        *known = false;
        return 0;
    }
}

const sigset_t *hd_raw_mask(sigset_t *to, const void *mask)
{
    if (mask == NULL)
        return NULL;
    *to = (sigset_t){ { *(const unsigned long *)mask } };
    return to;
}

long hd_raw(long nr, const long a[6], uint64_t pc, bool *known)
{
    static hd_raw_family *const families[] = {
        on_descriptors, on_sockets, on_several, hd_raw_opening, hd_raw_looking, hd_raw_naming,
        hd_raw_marks, hd_raw_pids, hd_raw_time, hd_raw_signals, hd_raw_processes, hd_raw_ids, hd_raw_memory,
    };
    long result = 0;

    *known = false;
    if (hd_syscall_judge(nr, a) == HD_SYSCALL_OUTSIDE)
        return 0;
    for (size_t i = 0; !*known && i < sizeof families / sizeof *families; i++) {
        *known = true;
        result = families[i](nr, a, pc, known);
    }
    return result;
}
