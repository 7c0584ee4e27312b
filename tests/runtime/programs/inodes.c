/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inodes.c - a thread writes to a file after main has written to others, and main then fails, so that the report names the
 * file.  The file system may give the inode of a removed file to the new one. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int new_file(const char *name)
{
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert(fd >= 0 && pwrite(fd, "x", 1, 0) == 1);
    return fd;
}

static void *use(void *name)
{
    int fd = open(name, O_RDWR | O_CREAT, 0600);

    assert(fd >= 0 && pwrite(fd, "y", 1, 0) == 1);
    close(fd);
    return 0;
}

/* Returns the name that the thread uses. */
static const char *prepare(int way)
{
    static char path[40];
    int fd = new_file("a");

    switch (way) {
    case 0: /* removed, then closed */
        assert(unlink("a") == 0);
        close(fd);
        return "b";
    case 1: /* closed, then removed */
        close(fd);
        assert(remove("a") == 0);
        return "b";
    case 2: /* replaced */
        close(fd);
        close(new_file("c"));
        assert(rename("c", "a") == 0);
        return "b";
    case 3: /* another name of the same file */
        close(fd);
        assert(link("a", "c") == 0 && unlink("a") == 0);
        return "c";
    case 4: /* renamed, also to itself, which changes nothing */
        close(fd);
        assert(rename("a", "a") == 0 && rename("a", "c") == 0);
        return "c";
    default: /* removed, and opened again nevertheless */
        assert(unlink("a") == 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        return path;
    }
}

int main(int argc, char **argv)
{
    const char *name = prepare(argc > 1 ? atoi(argv[1]) : 0);
    pthread_t t;

    pthread_create(&t, 0, use, (void *)(size_t)name);
    pthread_join(t, 0);
    assert(!"the end");
}
