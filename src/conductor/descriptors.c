/* SPDX-License-Identifier: BSD-2-Clause
 *
 * descriptors.c - see descriptors.h.  Numbers above NOTED are never the user's: a shell
 * cannot give them, and nothing is lost for the program when it does without. */
#include "conductor/descriptors.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

enum { NOTED = 256, LOOKED_AT = 1024 };

static bool noted, users[NOTED];

void hd_descriptors_note(void)
{
    noted = true;
    for (int fd = 0; fd < NOTED; fd++)
        users[fd] = fcntl(fd, F_GETFD) >= 0;
}

void hd_descriptors_leave(int keep)
{
    for (int fd = STDERR_FILENO + 1; noted && fd < LOOKED_AT; fd++)
        if (fd != keep && (fd >= NOTED || !users[fd]))
            fcntl(fd, F_SETFD, FD_CLOEXEC); /* fails where nothing is open */
}
