/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.c - removes the working directory from paths.  Only for display: saved or compared
 * data keep whole paths, because they may be read elsewhere. */
#include "report/names/path.h"

#include <string.h>
#include <unistd.h>

/* "/home/me/project/"; returns its length, 0 if nothing can be removed. */
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

/* Only at the beginning of a path: the end of a longer one may look the same. */
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
