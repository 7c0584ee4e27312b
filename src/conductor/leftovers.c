/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leftovers.c - restores files that a target changed and no process restored. */
#include "conductor/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/undo_log.h"

#define PREFIX "undo-"

/* The directory must belong to this user alone, because the log determines which files are
 * written. */
static bool find_directory(char *dir, size_t cap)
{
    struct stat s;

    snprintf(dir, cap, "/tmp/heddle-%u", (unsigned)geteuid());
    mkdir(dir, 0700);
    return lstat(dir, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 077) == 0;
}

/* After a reboot it is unknown how much of a log had reached the disk. */
static void find_boot(char boot[9])
{
    FILE *in = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (in == NULL || fscanf(in, "%8s", boot) != 1)
        strcpy(boot, "unknown");
    if (in != NULL)
        fclose(in);
}

static bool is_empty(int fd)
{
    uint64_t last = 0;

    return pread(fd, &last, sizeof last, 0) != (ssize_t)sizeof last || last == 0;
}

/* A running search holds a shared lock on its log, the process that restores files an
 * exclusive one.  Waits for the latter: a search must not begin with half-restored files. */
static void recover(const char *path, bool same_boot)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        flock(fd, LOCK_SH);
        close(fd);
        return;
    }
    if (same_boot && !is_empty(fd)) {
        unsigned failed = hd_undo_log_put_back(fd);

        fprintf(stderr, failed == 0 ? "heddle: restored the files that a killed search had changed\n"
                                    : "heddle: not all files that a killed search had changed could be restored\n");
    }
    unlink(path);
    close(fd);
}

static void recover_all(const char *dir, const char *boot)
{
    DIR *d = opendir(dir);
    char path[512], ours[32];

    snprintf(ours, sizeof ours, PREFIX "%s-", boot);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0 &&
            (size_t)snprintf(path, sizeof path, "%s/%s", dir, e->d_name) < sizeof path)
            recover(path, strncmp(e->d_name, ours, strlen(ours)) == 0);
    if (d != NULL)
        closedir(d);
}

void hd_leftovers_name(char *path, size_t cap)
{
    static bool recovered;
    static unsigned n;
    char dir[64], boot[9];

    path[0] = '\0';
    if (!find_directory(dir, sizeof dir))
        return;
    find_boot(boot);
    if (!recovered)
        recover_all(dir, boot);
    recovered = true;
    snprintf(path, cap, "%s/" PREFIX "%s-%d-%u", dir, boot, (int)getpid(), n++);
}

/* Tries again if another Heddle process takes the log for a leftover and removes it before it is locked here. */
int hd_leftovers_open(const char *path)
{
    struct stat s;
    int fd;

    if (path[0] == '\0')
        return -1;
    while ((fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) >= 0) {
        if (flock(fd, LOCK_SH) != 0 || fstat(fd, &s) != 0 || s.st_nlink > 0)
            break;
        close(fd);
    }
    return fd;
}

bool hd_leftovers_end(int fd, const char *path)
{
    unsigned failed = fd >= 0 ? hd_undo_log_put_back(fd) : 0;

    if (failed != 0)
        fprintf(stderr, "heddle: the program was ended in the middle of an execution, and not all files that it "
                        "had changed could be restored\n");
    if (fd >= 0) {
        unlink(path);
        close(fd);
    }
    return failed == 0;
}
