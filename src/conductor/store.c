/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.c - stores schedules.  A file appears under its name only when it is completely on
 * the disk (temporary file, fsync, rename), so neither a crash nor a full disk leaves half
 * a schedule behind. */
#include "conductor/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/vec.h"

static bool failed(struct hd_stored *out, const char *doing, const char *path)
{
    snprintf(out->error, sizeof out->error, "%s %.300s: %s", doing, path, strerror(errno));
    return false;
}

bool hd_store_make(const char *dir)
{
    char path[4096];
    size_t n = strlen(dir);

    if (n >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path, dir, n + 1);
    for (char *p = path + 1; *p != '\0'; p++)
        if (*p == '/') {
            *p = '\0';
            if (mkdir(path, 0777) != 0 && errno != EEXIST)
                return false;
            *p = '/';
        }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* Cuts a path down to its directory; false if it has no parent. */
static bool go_up(char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (n == 0)
        path[n++] = '.';
    path[n] = '\0';
    return true;
}

/* Removes temporary files of tools that were killed. */
static void remove_stale(const char *dir)
{
    enum { SECONDS = 60 };
    DIR *d = opendir(dir);
    struct stat st;

    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (strncmp(e->d_name, ".saving-", 8) == 0 && fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode) && time(NULL) - st.st_mtime > SECONDS)
            unlinkat(dirfd(d), e->d_name, 0);
    if (d != NULL)
        closedir(d);
}

/* Tests by creating a file, in the directory or in its nearest existing parent. */
bool hd_store_writable(const char *dir)
{
    char path[4096 - 16], tmp[4096];
    struct stat st;

    if ((size_t)snprintf(path, sizeof path, "%s", dir) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    while (stat(path, &st) != 0)
        if (errno != ENOENT || !go_up(path))
            return false;
    remove_stale(dir);
    snprintf(tmp, sizeof tmp, "%s/.saving-XXXXXX", path);
    int fd = open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600); /* an unnamed file cannot be left
                                                                  * behind */

    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        fd = mkostemp(tmp, O_CLOEXEC);
        if (fd >= 0)
            unlink(tmp);
    }
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

/* Writes the schedule to a new file and stores its name in tmp. */
static bool write_temporary(const char *dir, const struct hd_schedule *s, char *tmp, size_t cap,
                            uint64_t *sum)
{
    if ((size_t)snprintf(tmp, cap, "%s/.saving-XXXXXX", dir) >= cap) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkostemp(tmp, O_CLOEXEC);

    if (fd < 0)
        return false;
    mode_t mask = umask(0);

    umask(mask);
    FILE *f = fdopen(fd, "w");
    bool ok = f != NULL && hd_schedule_write(s, f, sum) && fsync(fd) == 0 &&
              fchmod(fd, 0666 & ~mask) == 0; /* mkstemp creates files that only the owner may
                                              * read */
    int saved = errno;

    if (f != NULL ? fclose(f) != 0 : close(fd) != 0) {
        saved = ok ? errno : saved;
        ok = false;
    }
    if (!ok)
        unlink(tmp);
    errno = saved;
    return ok;
}

/* `latest` is a convenience: failure to set it is ignored. */
static void point_latest(const char *dir, const char *name)
{
    char link[4096], tmp[4096];

    if ((size_t)snprintf(link, sizeof link, "%s/" HD_STORE_LATEST, dir) >= sizeof link ||
        (size_t)snprintf(tmp, sizeof tmp, "%s/.latest-%ld", dir, (long)getpid()) >= sizeof tmp)
        return;
    unlink(tmp);
    if (symlink(name, tmp) == 0 && rename(tmp, link) != 0)
        unlink(tmp);
}

void hd_store_sync(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* The id does not depend on whether the file could be written. */
void hd_store_identify(const struct hd_schedule *s, char id[HD_STORE_ID])
{
    char *data = NULL;
    size_t size = 0;
    uint64_t sum = 0;
    FILE *f = open_memstream(&data, &size);

    if (f != NULL) {
        hd_schedule_write(s, f, &sum);
        fclose(f);
        free(data);
    }
    snprintf(id, HD_STORE_ID, "%012llx", (unsigned long long)(sum >> 16));
}

bool hd_store_save(const char *dir, const struct hd_schedule *s, struct hd_stored *out)
{
    char tmp[4096], name[32];
    struct stat st;
    uint64_t sum;

    memset(out, 0, sizeof *out);
    hd_store_identify(s, out->id);
    if (!hd_store_make(dir))
        return failed(out, "cannot make the directory", dir);
    if (!write_temporary(dir, s, tmp, sizeof tmp, &sum))
        return failed(out, "cannot write a schedule into", dir);
    snprintf(name, sizeof name, "%s" HD_STORE_SUFFIX, out->id);
    int n = snprintf(out->path, sizeof out->path, "%s/%s", dir, name);

    out->existed = stat(out->path, &st) == 0;
    out->modified = out->existed ? (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9 : 0;
    if ((size_t)n >= sizeof out->path || rename(tmp, out->path) != 0) {
        int saved = errno;

        unlink(tmp);
        errno = saved;
        return failed(out, "cannot write", out->path);
    }
    hd_store_sync(dir);
    point_latest(dir, name);
    return true;
}

void hd_store_point(const char *dir, const char *path)
{
    const char *slash = strrchr(path, '/');

    point_latest(dir, slash != NULL ? slash + 1 : path);
}

/* True if file a was written after file b.  If both have the same time, the names decide. */
static bool is_newer(const struct stat *a, const char *name, const struct stat *b, const char *than)
{
    if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
        return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
    if (a->st_mtim.tv_nsec != b->st_mtim.tv_nsec)
        return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
    return strcmp(name, than) > 0;
}

static bool is_schedule(const char *name)
{
    size_t n = strlen(name), end = strlen(HD_STORE_SUFFIX);

    return name[0] != '.' && n > end && strcmp(name + n - end, HD_STORE_SUFFIX) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void hd_store_list(const char *dir, char ***paths, size_t *n)
{
    DIR *d = opendir(dir);

    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (is_schedule(e->d_name))
            *HD_PUSH(*paths, *n) = hd_formatted("%s/%s", dir, e->d_name);
    if (*n > 1)
        qsort(*paths, *n, sizeof **paths, by_name);
    if (d != NULL)
        closedir(d);
}

/* The name of the newest schedule in dir; "" if there is none. */
static void newest(const char *dir, char *name, size_t cap)
{
    DIR *d = opendir(dir);
    struct stat best = { 0 }, st;

    name[0] = '\0';
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (is_schedule(e->d_name) && fstatat(dirfd(d), e->d_name, &st, 0) == 0 &&
            S_ISREG(st.st_mode) && (name[0] == '\0' || is_newer(&st, e->d_name, &best, name))) {
            best = st;
            snprintf(name, cap, "%s", e->d_name);
        }
    if (d != NULL)
        closedir(d);
}

static bool path_of(const char *dir, const char *name, char *path, size_t cap)
{
    return name[0] != '\0' && (size_t)snprintf(path, cap, "%s/%s", dir, name) < cap &&
           access(path, F_OK) == 0;
}

/* The link is lost if a directory is copied or archived without links, and dangles if its
 * schedule was removed.  Then the modification times of the files decide. */
bool hd_store_latest(const char *dir, char *path, size_t cap)
{
    char name[256], link[4096];

    if ((size_t)snprintf(link, sizeof link, "%s/" HD_STORE_LATEST, dir) >= sizeof link)
        return false;
    ssize_t n = readlink(link, name, sizeof name - 1);

    name[n > 0 ? n : 0] = '\0';
    if (path_of(dir, name, path, cap))
        return true;
    newest(dir, name, sizeof name);
    return path_of(dir, name, path, cap);
}
