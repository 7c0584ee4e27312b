/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inherited.c - see inherited.h. */
#include "conductor/inherited.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1024 }; /* higher descriptors are ignored */

static bool inherited[MOST];

/* Call fn with each open descriptor above the standard ones. */
static void each(void (*fn)(int fd, int keep), int keep)
{
    DIR *d = opendir("/proc/self/fd");
    const struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        int fd = atoi(e->d_name);

        if (fd > STDERR_FILENO && fd < MOST && fd != dirfd(d))
            fn(fd, keep);
    }
    if (d != NULL)
        closedir(d);
}

static void note(int fd, int unused)
{
    (void)unused;
    inherited[fd] = true;
}

static void leave_behind(int fd, int keep)
{
    if (!inherited[fd] && fd != keep)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void hd_inherited_note(void)
{
    each(note, -1);
}

void hd_inherited_close_others(int keep)
{
    each(leave_behind, keep);
}
