/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loads.c - asks the dynamic linker.  Its option --list, which glibc and musl have, loads
 * everything and prints the libraries found instead of starting the program. */
#include "program/loads.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/paths.h"

const char *hd_runtime_part(enum hd_elf_runtime runtime)
{
    return runtime == HD_ELF_RT_NONE     ? HD_LIB_RUNTIME
           : runtime == HD_ELF_RT_HEDDLE ? "lib"
                                         : HD_LIB_TSAN_DIR;
}

/* The environment of the loader: the runtime's directory is searched first, as in a run.  The result
 * and *path, which may be NULL, are freed by the caller. */
static char **environment(const struct hd_elf_info *info, char **path)
{
    static const char name[] = "LD_LIBRARY_PATH=";
    const char *inherited = getenv("LD_LIBRARY_PATH");
    char part[4096];
    size_t n = 0, kept = 0;

    while (environ[n] != NULL)
        n++;
    char **to = hd_zeroed(n + 2, sizeof *to);

    *path = NULL;
    if (info->runtime != HD_ELF_RT_NONE && hd_path_of(hd_runtime_part(info->runtime), part, sizeof part)) {
        *path = hd_formatted("%s%s%s%s", name, part, inherited != NULL ? ":" : "",
                             inherited != NULL ? inherited : "");
        to[kept++] = *path;
    }
    for (size_t i = 0; i < n; i++)
        if (*path == NULL || strncmp(environ[i], name, sizeof name - 1) != 0)
            to[kept++] = environ[i];
    return to;
}

/* Starts the loader with its output in that descriptor.  A program name without a slash gets one,
 * because the loader would look for it among the libraries.  Returns 0 if it cannot be started. */
static pid_t start_loader(const struct hd_elf_info *info, int out)
{
    char program[sizeof info->path + 2], *path;
    char *words[] = { (char *)(uintptr_t)info->loader, "--list", program, NULL };
    char **variables = environment(info, &path);
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;

    snprintf(program, sizeof program, "%s%s", strchr(info->path, '/') != NULL ? "" : "./",
             info->path);
    if (posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO) != 0 ||
            posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO) != 0 ||
            posix_spawn(&pid, info->loader, &actions, NULL, words, variables) != 0)
            pid = 0;
        posix_spawn_file_actions_destroy(&actions);
    }
    free(variables);
    free(path);
    return pid;
}

static char *read_all(int fd)
{
    FILE *in = fdopen(fd, "r");
    char *text = NULL;
    size_t cap = 0;

    if (in == NULL || getdelim(&text, &cap, '\0', in) < 0) {
        free(text);
        text = hd_copied("");
    }
    if (in != NULL)
        fclose(in);
    else if (fd >= 0)
        close(fd);
    return text;
}

/* Returns the output of the loader, which the caller frees; "" if the loader cannot be run. */
static char *ask_loader(const struct hd_elf_info *info)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) != 0)
        return read_all(-1);
    pid_t pid = start_loader(info, fds[1]);

    close(fds[1]);
    char *text = read_all(fds[0]);

    if (pid > 0)
        waitpid(pid, NULL, 0);
    return text;
}

/* Returns the loader's output for this file.  It is kept, because a search needs it more than
 * once. */
static const char *answer_for(const struct hd_elf_info *info)
{
    static struct {
        char *text;
        struct stat file;
        enum hd_elf_runtime runtime;
    } kept;
    struct stat now;
    bool known = stat(info->path, &now) == 0;

    if (kept.text != NULL && known && kept.runtime == info->runtime && kept.file.st_dev == now.st_dev &&
        kept.file.st_ino == now.st_ino && kept.file.st_size == now.st_size &&
        kept.file.st_ctim.tv_sec == now.st_ctim.tv_sec && kept.file.st_ctim.tv_nsec == now.st_ctim.tv_nsec)
        return kept.text;
    free(kept.text);
    kept.text = ask_loader(info);
    kept.runtime = info->runtime;
    kept.file = known ? now : (struct stat){ 0 };
    return kept.text;
}

/* Returns the part of a line that names a missing library, or NULL if the line does not complain.
 * glibc prints "\tNAME => not found" and continues, or "PROGRAM: error while loading shared
 * libraries: NAME: ..." and ends, depending on its version; musl prints "Error loading shared
 * library NAME: ...". */
static const char *complaint(const char *line)
{
    static const char fatal[] = "error while loading shared libraries: ";
    const char *at = strstr(line, fatal);

    if (at != NULL)
        return at + sizeof fatal - 1;
    if (strstr(line, "not found") != NULL || strncmp(line, "Error ", 6) == 0)
        return line + strspn(line, " \t");
    return NULL;
}

/* Calls fn with the path in a line such as "\tlibm.so.6 => /lib/libm.so.6 (0x7f0000000000)", or the
 * path alone. */
static void tell_library(const char *line, hd_loads_fn *fn, void *arg)
{
    const char *arrow = strstr(line, " => "), *path = arrow != NULL ? arrow + 4 : line + strspn(line, " \t");
    const char *end = strstr(path, " (0x");
    char copy[4096];

    if (fn == NULL || end == NULL || memchr(path, '/', (size_t)(end - path)) == NULL ||
        snprintf(copy, sizeof copy, "%.*s", (int)(end - path), path) >= (int)sizeof copy)
        return;
    fn(copy, arg);
}

/* Returns true without calling fn if the loader cannot be run. */
bool hd_loads_each(struct hd_elf_info *info, hd_loads_fn *fn, void *arg)
{
    bool good = true;
    size_t length;

    for (const char *at = answer_for(info); *at != '\0'; at += length + (at[length] == '\n')) {
        char line[5000];

        length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        const char *what = good ? complaint(line) : NULL;

        if (what == NULL) {
            tell_library(line, fn, arg);
            continue;
        }
        good = false;
        snprintf(info->problem, sizeof info->problem, "a library that it needs is missing: %.400s", what);
        snprintf(info->remedy, sizeof info->remedy, "install that library, or name its directory in "
                                                    "LD_LIBRARY_PATH, so that the program runs alone");
    }
    return good;
}

bool hd_loads(struct hd_elf_info *info)
{
    return hd_loads_each(info, NULL, NULL);
}
