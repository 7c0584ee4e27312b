/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file.c - writes a file that appears only when it is complete. */
#include "report/print/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct content {
    void (*write)(FILE *out, const void *what);
    const void *what;
};

static bool write_file(int fd, const struct content *c)
{
    FILE *f = fdopen(fd, "w");

    if (f == NULL) {
        close(fd);
        return false;
    }
    c->write(f, c->what);
    bool ok = fflush(f) == 0 && !ferror(f);

    return fclose(f) == 0 && ok;
}

/* True for an existing device or pipe ("/dev/stdout", "/dev/fd/3"): rename cannot replace it. */
static bool is_special(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Creates a file in the same directory.  Returns its descriptor, or -1 with errno set. */
static int make_temporary(const char *path, char *tmp, size_t cap)
{
    if ((size_t)snprintf(tmp, cap, "%s.XXXXXX", path) < cap)
        return mkostemp(tmp, O_CLOEXEC);
    errno = ENAMETOOLONG;
    return -1;
}

bool hd_file_write(const char *path, void (*write)(FILE *out, const void *what), const void *what)
{
    const struct content content = { write, what };
    char tmp[4096];

    if (strcmp(path, "-") == 0) {
        write(stdout, what);
        return fflush(stdout) == 0;
    }
    if (is_special(path)) {
        int fd = open(path, O_WRONLY | O_CLOEXEC);

        return fd >= 0 && write_file(fd, &content);
    }
    int fd = make_temporary(path, tmp, sizeof tmp);
    mode_t mask = umask(0);

    umask(mask);
    if (fd < 0)
        return false;
    fchmod(fd, 0666 & ~mask);
    if (write_file(fd, &content) && rename(tmp, path) == 0)
        return true;
    int saved = errno;

    unlink(tmp);
    errno = saved;
    return false;
}

/* Tries to create a file, because only that detects permissions, read-only mounts and file systems that do not
 * allow new files. */
bool hd_file_writable(const char *path)
{
    char tmp[4096];
    struct stat st;

    if (strcmp(path, "-") == 0)
        return true;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (is_special(path))
        return access(path, W_OK) == 0;
    int fd = make_temporary(path, tmp, sizeof tmp);

    if (fd < 0)
        return false;
    close(fd);
    unlink(tmp);
    return true;
}
