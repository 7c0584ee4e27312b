/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_file_lock.c - flock and locks of open file descriptions, between two threads that
 * opened the same file on their own.
 * Reduction: threads share pipes, sockets or locks of files
 * Denied: blocking I/O with other processes */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../conform.h"

static char name[64];
static int inside;

static int enter(void)
{
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd = open(name, O_RDONLY);

    IS(fd >= 0, 1);
    IS(flock(fd, LOCK_EX), 0);
    IS(fcntl(fd, F_OFD_SETLKW, &range), 0);
    IS(inside++, 0);
    return fd;
}

static void *worker(void *arg)
{
    int fd = enter();

    sched_yield();
    IS(--inside, 0);
    IS(flock(fd, LOCK_UN), 0);
    return arg;
}

int main(void)
{
    int fd = memfd_create("locked", 0);

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    pthread_t t = start(worker, NULL);
    worker(NULL);
    finish(t);
    return 0;
}
