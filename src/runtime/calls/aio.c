/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aio.c - requests that libc passes to threads of its own: POSIX asynchronous I/O and getaddrinfo_a.
 * Such threads would run uncontrolled beside the fibers, so each request is carried out when it is made.
 * That is one of the orders that POSIX allows.  The others are not explored, and the verdict says so.
 *
 * aio_error, aio_return, aio_suspend, aio_cancel and gai_* stay libc's: for a request that is done they
 * look at the request alone. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"

_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64) &&
               offsetof(struct aiocb, aio_offset) == offsetof(struct aiocb64, aio_offset),
               "one model for both");

static void notify(const struct sigevent *how)
{
    if (how == NULL || how->sigev_notify == SIGEV_NONE)
        return;
    if (how->sigev_notify == SIGEV_SIGNAL)
        sigqueue(getpid(), how->sigev_signo, how->sigev_value);
    else
        hd_uncontrolled("asynchronous I/O: SIGEV_THREAD does not start a thread");
}

/* Carries out the request.  Returns false, with errno, if the request is not accepted. */
static bool carry_out(struct aiocb *cb, int operation)
{
    int before = errno;
    ssize_t n = -1;

    hd_uncontrolled("asynchronous I/O is done when it is requested: other moments are not explored");
    if (operation != LIO_NOP && lseek(cb->aio_fildes, 0, SEEK_CUR) < 0 && errno == ESPIPE) {
        hd_uncontrolled("asynchronous I/O with pipes and sockets fails (ENOSYS)");
        errno = ENOSYS;
        return false;
    }
    if (operation == LIO_READ)
        n = pread(cb->aio_fildes, (void *)cb->aio_buf, cb->aio_nbytes, cb->aio_offset);
    else if (operation == LIO_WRITE)
        n = pwrite(cb->aio_fildes, (const void *)cb->aio_buf, cb->aio_nbytes, cb->aio_offset);
    else
        n = 0;
    cb->__error_code = n < 0 ? errno : 0;
    cb->__return_value = n;
    errno = before;
    return true;
}

static int request(struct aiocb *cb, int operation)
{
    if (!carry_out(cb, operation))
        return -1;
    notify(&cb->aio_sigevent);
    return 0;
}

static int model_sync(int how, struct aiocb *cb)
{
    if ((how != O_SYNC && how != O_DSYNC) || fcntl(cb->aio_fildes, F_GETFL) < 0) {
        errno = how != O_SYNC && how != O_DSYNC ? EINVAL : EBADF;
        return -1;
    }
    return request(cb, LIO_NOP);
}

static int model_list(int mode, struct aiocb *const list[], int n, const struct sigevent *how)
{
    bool failed = false;

    if (mode != LIO_WAIT && mode != LIO_NOWAIT) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < n; i++)
        if (list[i] != NULL && list[i]->aio_lio_opcode != LIO_NOP)
            failed |= request(list[i], list[i]->aio_lio_opcode) != 0 ||
                      (mode == LIO_WAIT && list[i]->__error_code != 0);
    if (mode == LIO_NOWAIT)
        notify(how);
    if (failed)
        errno = EIO;
    return failed ? -1 : 0;
}

static int model_addresses(struct gaicb *list[], int n, const struct sigevent *how)
{
    hd_uncontrolled("getaddrinfo_a is done when it is called: other moments are not explored");
    for (int i = 0; i < n; i++)
        if (list[i] != NULL)
            list[i]->__return = getaddrinfo(list[i]->ar_name, list[i]->ar_service, list[i]->ar_request,
                                            &list[i]->ar_result);
    notify(how);
    return 0;
}

#define CALLS_AIO
#include "runtime/calls/calls.def"
