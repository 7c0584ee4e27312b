/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pipe.c - calls that create descriptors with both ends in this program (io_wait.h, W1), and calls
 * that tell epoll and inotify what to watch. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/sys/compiler.h"

/* Begins a call that takes free descriptor numbers.  Returns the same as hd_shared_begin. */
static bool make_begin(uint64_t pc)
{
    hd_io_descriptor();
    return hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, pc);
}

static void made(int fd)
{
    hd_files_opened(fd);
    hd_files_set_inner(fd, true);
}

static int make_end(bool begun, int result, const int *fd, unsigned n)
{
    hd_shared_end(begun, result < 0);
    for (unsigned i = 0; result >= 0 && i < n; i++)
        made(fd[i]);
    return result;
}

#define ONE(type, name, params, args, counts)             \
    HD_EXPORT int name params                       \
    {                                               \
        if (hd.cur == NULL)                         \
            return HD_REAL(name) args;              \
        bool begun = make_begin(HD_PC);             \
        int fd = HD_REAL(name) args;                \
                                                    \
        make_end(begun, fd, &fd, 1);                \
        if (fd >= 0)                                \
            hd_channel_single(fd, counts);           \
        return fd;                                  \
    }

#define PAIR(type, name, params, args)                    \
    HD_EXPORT int name params                       \
    {                                               \
        if (hd.cur == NULL)                         \
            return HD_REAL(name) args;              \
        hd_io_writes(fd, 2 * sizeof *fd);           \
        bool begun = make_begin(HD_PC);             \
        int result = make_end(begun, HD_REAL(name) args, fd, 2); \
                                                    \
        if (result == 0)                            \
            hd_channel_pair(fd[0], fd[1]);          \
        hd_io_wrote(fd, result == 0 ? 2 * sizeof *fd : 0, HD_PC); \
        return result;                              \
    }

/* A change of the set may make a waiting thread ready, or make the set depend on descriptors from
 * outside the program. */
static int model_epoll_ctl(int set, int op, int fd, struct epoll_event *event, uint64_t pc)
{
    hd_io_attempt(pc);
    if (op == EPOLL_CTL_ADD && !hd_files_is_inner(fd))
        hd_files_set_inner(set, false);
    int result = HD_REAL(epoll_ctl)(set, op, fd, event);

    if (result == 0)
        hd_channel_watches(set, op == EPOLL_CTL_ADD ? fd : -1);
    hd_io_end(true, result);
    return result;
}

HD_EXPORT int inotify_add_watch(int fd, const char *path, uint32_t events)
{
    if (hd.cur != NULL)
        hd_files_watch();
    return HD_REAL(inotify_add_watch)(fd, path, events);
}

#define CALLS_PIPE
#include "runtime/calls/calls.def"
