/* SPDX-License-Identifier: BSD-2-Clause
 *
 * paths.c - the prefix is the parent of the directory of the running executable;
 * /proc/self/exe has its symbolic links resolved. */
#include "program/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool prefix_of_self(char *buf, size_t cap)
{
    ssize_t n = readlink("/proc/self/exe", buf, cap - 1);

    if (n <= 0)
        return false;
    buf[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(buf, '/');

        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

bool hd_path_of(const char *part, char *buf, size_t cap)
{
    char prefix[PATH_MAX];

    if (!prefix_of_self(prefix, sizeof prefix))
        return false;
    return (size_t)snprintf(buf, cap, "%s/%s", prefix, part) < cap;
}

bool hd_path_is_inside(const char *program)
{
    char here[PATH_MAX], there[PATH_MAX];

    if (strchr(program, '/') == NULL || realpath(".", here) == NULL || realpath(program, there) == NULL)
        return false;
    size_t n = strlen(here);

    return n > 1 && strncmp(there, here, n) == 0 && there[n] == '/';
}
