/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aio.c - POSIX asynchronous I/O on a file: requests, a list of them, their results and errors, a signal
 * at the end.  libc carries requests out in threads of its own.
 * Denied: asynchronous I/O is done when it is requested */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../conform.h"

static struct aiocb request(int fd, void *buffer, size_t n, off_t at, int operation)
{
    struct aiocb cb;

    memset(&cb, 0, sizeof cb);
    cb.aio_fildes = fd;
    cb.aio_buf = buffer;
    cb.aio_nbytes = n;
    cb.aio_offset = at;
    cb.aio_lio_opcode = operation;
    cb.aio_sigevent.sigev_notify = SIGEV_NONE;
    return cb;
}

static ssize_t result_of(struct aiocb *cb)
{
    const struct aiocb *const list[] = { cb };

    while (aio_error(cb) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return aio_error(cb) == 0 ? aio_return(cb) : -aio_error(cb);
}

static void signal_at_end(int fd)
{
    static char byte;
    struct aiocb cb = request(fd, &byte, 1, 0, LIO_READ);
    sigset_t set;
    siginfo_t info;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    IS(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    cb.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
    cb.aio_sigevent.sigev_signo = SIGUSR1;
    cb.aio_sigevent.sigev_value.sival_int = 42;
    IS(aio_read(&cb), 0);
    IS(sigwaitinfo(&set, &info), SIGUSR1);
    IS(info.si_value.sival_int, 42);
    IS(result_of(&cb), 1);
}

int main(void)
{
    char name[] = "aio-XXXXXX", text[] = "abcdef", back[8] = "", two[2];
    int fd = mkstemp(name);
    struct aiocb cb = request(fd, text, 6, 2, LIO_WRITE);

    IS(aio_write(&cb), 0);
    IS(result_of(&cb), 6);
    IS(aio_fsync(O_SYNC, &cb), 0);
    IS(result_of(&cb), 0);
    cb = request(fd, back, sizeof back, 0, LIO_READ);
    IS(aio_read(&cb), 0);
    IS(result_of(&cb), 8);
    IS(memcmp(back, "\0\0abcdef", 8), 0);

    struct aiocb a = request(fd, &two[0], 1, 2, LIO_READ), b = request(fd, &two[1], 1, 7, LIO_READ);
    struct aiocb *const list[] = { &a, NULL, &b };

    IS(lio_listio(LIO_WAIT, list, 3, NULL), 0);
    IS(two[0], 'a');
    IS(two[1], 'f');

    cb = request(-1, back, 1, 0, LIO_READ);
    if (aio_read(&cb) == 0)
        IS(result_of(&cb), -EBADF);
    IS(aio_fsync(12345, &cb), -1);
    IS(errno, EINVAL);
    signal_at_end(fd);
    close(fd);
    unlink(name);
    return 0;
}
