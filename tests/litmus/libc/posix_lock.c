/* SPDX-License-Identifier: BSD-2-Clause
 *
 * posix_lock - a file that the process has locked, and threads that lock it again.
 *
 * Claim: all succeed at once, since such a lock is the process's and no thread can meet
 * another in it.  So a reduced search may claim to be complete. */
#include "../litmus.h"

#include <fcntl.h>

static int fd;

static int lock_all(void)
{
    struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_SETLK, &range);
}

static void *work(void *arg)
{
    struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    assert(lock_all() == 0);
    assert(fcntl(fd, F_GETLK, &range) == 0 && range.l_type == F_UNLCK);
    return arg;
}

int main(void)
{
    char name[] = "posix_lock_XXXXXX";

    fd = mkstemp(name);
    assert(fd >= 0 && unlink(name) == 0 && lock_all() == 0);
    pthread_t one = spawn(work), two = spawn(work);

    join(one);
    join(two);
    assert(close(fd) == 0);
    return 0;
}
