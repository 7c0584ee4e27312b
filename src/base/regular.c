/* SPDX-License-Identifier: BSD-2-Clause
 *
 * regular.c - opens regular files only, after following symbolic links. */
#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *problem_of(int fd, uint64_t max_bytes)
{
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0)
        return strerror(errno);
    if (S_ISDIR(st.st_mode))
        return strerror(EISDIR);
    if (!S_ISREG(st.st_mode))
        return "it is a device or a pipe, and only a regular file is read; copy it to one";
    return (uint64_t)st.st_size > max_bytes ? "it is too large to be one" : NULL;
}

FILE *hd_regular_open(const char *path, uint64_t max_bytes, const char **problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* non-blocking, so that it does not wait for a
                                                                        * writer of a pipe */
    FILE *f = NULL;

    *problem = problem_of(fd, max_bytes);
    if (*problem == NULL && (f = fdopen(fd, "r")) == NULL)
        *problem = strerror(errno);
    if (f == NULL && fd >= 0)
        close(fd);
    return f;
}
