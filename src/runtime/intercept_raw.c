/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_raw.c - system calls on descriptors, and those that send signals, when they are made
 * by syscall(): libraries do so to avoid cancellation points, or where libc had no wrapper yet.
 *
 * Each goes on in the interposer of its wrapper.  If it went straight to the kernel, a thread
 * that waits at the other end of a pipe would not be told of it, and would look deadlocked. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/intercept_io.h"

/* Arguments of the system call, as what the wrapper takes. */
#define INT(i) ((int)a[i])
#define SIZE(i) ((size_t)a[i])
#define PTR(i) ((void *)a[i])
#define ADDRESS(i) ((__SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })
#define CONST_ADDRESS(i) ((__CONST_SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })

static long on_files(long nr, const long a[6], bool *known)
{
    switch (nr) {
    case SYS_read:
        return read(INT(0), PTR(1), SIZE(2));
    case SYS_write:
        return write(INT(0), PTR(1), SIZE(2));
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

static long on_sockets(long nr, const long a[6], bool *known)
{
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
    case SYS_accept4:
        return accept4(INT(0), ADDRESS(1), PTR(2), INT(3));
    default:
        *known = false;
        return 0;
    }
}

/* The kernel's mask is the first 8 bytes of libc's. */
static long on_several(long nr, const long a[6], bool *known)
{
    switch (nr) {
    case SYS_poll:
        return poll(PTR(0), (nfds_t)a[1], INT(2));
    case SYS_epoll_create1:
        return epoll_create1(INT(0));
    case SYS_epoll_ctl:
        return epoll_ctl(INT(0), INT(1), INT(2), PTR(3));
    case SYS_epoll_wait:
        return epoll_wait(INT(0), PTR(1), INT(2), INT(3));
    case SYS_epoll_pwait:
        return a[4] == 0 ? epoll_wait(INT(0), PTR(1), INT(2), INT(3))
                         : epoll_pwait(INT(0), PTR(1), INT(2), INT(3), PTR(4));
    case SYS_timerfd_create:
        return timerfd_create(INT(0), INT(1));
    case SYS_timerfd_gettime:
        return timerfd_gettime(INT(0), PTR(1));
    case SYS_timerfd_settime:
        return timerfd_settime(INT(0), INT(1), PTR(2), PTR(3));
    case SYS_prctl:
        return prctl(INT(0), a[1], a[2], a[3], a[4]);
    case SYS_kill:
        return kill(INT(0), INT(1));
    default:
        *known = false;
        return 0;
    }
}

long hd_raw_io(long nr, const long a[6], bool *known)
{
    *known = true;
    long result = on_files(nr, a, known);

    if (*known)
        return result;
    *known = true;
    result = on_sockets(nr, a, known);
    if (*known)
        return result;
    *known = true;
    return on_several(nr, a, known);
}
