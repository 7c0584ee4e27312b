/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.c - removes the working directory from paths.  Only for display: data that are saved or
 * compared keep whole paths, because they may be read in another directory. */
#include "report/names/path.h"

#include <string.h>
#include <unistd.h>

/* Writes the working directory with a slash at the end.  Returns its length, or 0 if no directory
 * can be removed. */
static size_t here(char *buf, size_t cap)
{
    if (getcwd(buf, cap - 1) == NULL || strcmp(buf, "/") == 0)
        return 0;
    size_t n = strlen(buf);

    buf[n] = '/';
    buf[n + 1] = '\0';
    return n + 1;
}

const char *hd_path_shown(const char *path)
{
    char dir[4096];
    size_t n = here(dir, sizeof dir);

    return n > 0 && strncmp(path, dir, n) == 0 && path[n] != '\0' ? path + n : path;
}

/* Removes the directory only at the beginning of a path: it may also occur inside a longer path. */
void hd_path_shorten(char *text)
{
    char dir[4096];
    size_t n = here(dir, sizeof dir);

    for (char *at = text; n > 0 && (at = strstr(at, dir)) != NULL;)
        if (at == text || strchr(" `'\"(", at[-1]) != NULL)
            memmove(at, at + n, strlen(at + n) + 1);
        else
            at += n;
}
