/* SPDX-License-Identifier: BSD-2-Clause
 *
 * same_file.c - compares files instead of names, because a file has many names ("./",
 * links).  A file that does not exist yet is identified by its directory and its name
 * there. */
#include "program/same_file.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct identity {
    dev_t dev;
    ino_t ino;      /* inode of the file, or of the directory in which it will be created */
    char name[256]; /* "": the file exists */
    bool nowhere;
};

static bool is_null_device(const struct stat *st)
{
    return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* Follows a link to a file that does not exist yet.  Any other path is copied unchanged. */
static void follow(const char *path, char *to, size_t cap)
{
    char target[2048], dir[2048];
    ssize_t n = readlink(path, target, sizeof target - 1);

    snprintf(to, cap, "%s", path);
    if (n <= 0)
        return;
    target[n] = '\0';
    snprintf(dir, sizeof dir, "%s", path);
    if (target[0] == '/')
        snprintf(to, cap, "%s", target);
    else
        snprintf(to, cap, "%s/%s", dirname(dir), target);
}

/* Identifies the file of a path.  Returns false if the file does not exist and cannot be created. */
static bool identify(const char *path, struct identity *id)
{
    char real[4200], copy[4200];
    struct stat st;

    memset(id, 0, sizeof *id);
    if ((strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &st) : stat(path, &st)) != 0) {
        follow(path, real, sizeof real);
        memcpy(copy, real, sizeof copy);
        snprintf(id->name, sizeof id->name, "%s", basename(copy));
        memcpy(copy, real, sizeof copy);
        if (stat(dirname(copy), &st) != 0)
            return false;
    }
    id->dev = st.st_dev;
    id->ino = st.st_ino;
    id->nowhere = is_null_device(&st);
    return true;
}

bool hd_same_file(const char *a, const char *b)
{
    struct identity x, y;

    if (strcmp(a, b) == 0)
        return true;
    return identify(a, &x) && identify(b, &y) && !x.nowhere && x.dev == y.dev && x.ino == y.ino &&
           strcmp(x.name, y.name) == 0;
}
