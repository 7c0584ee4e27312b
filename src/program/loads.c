/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loads.c - asks the dynamic linker.  Its option --list, which glibc and musl have, loads
 * everything and prints the libraries found instead of starting the program. */
#include "program/loads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/paths.h"

const char *hd_runtime_part(enum hd_elf_runtime runtime)
{
    return runtime == HD_ELF_RT_NONE     ? HD_LIB_RUNTIME
           : runtime == HD_ELF_RT_HEDDLE ? "lib"
                                         : HD_LIB_TSAN_DIR;
}

/* Replaces the process by the loader.  A program name without a slash gets one, because the loader
 * would look for it among the libraries. */
static _Noreturn void become_loader(const struct hd_elf_info *info, int out)
{
    char part[4096], path[8300], program[sizeof info->path + 2];
    const char *inherited = getenv("LD_LIBRARY_PATH");

    snprintf(program, sizeof program, "%s%s", strchr(info->path, '/') != NULL ? "" : "./",
             info->path);
    if (info->runtime != HD_ELF_RT_NONE &&
        hd_path_of(hd_runtime_part(info->runtime), part, sizeof part)) {
        snprintf(path, sizeof path, "%s%s%.4100s", part, inherited != NULL ? ":" : "",
                 inherited != NULL ? inherited : "");
        setenv("LD_LIBRARY_PATH", path, 1);
    }
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl(info->loader, info->loader, "--list", program, (char *)NULL);
    _exit(127);
}

/* Returns the part of a line that names a missing library, or NULL if the line does not complain.
 * glibc prints "\tNAME => not found" and continues, or "PROGRAM: error while loading shared
 * libraries: NAME: ..." and ends, depending on its version; musl prints "Error loading shared
 * library NAME: ...". */
static const char *complaint(char *line)
{
    static const char fatal[] = "error while loading shared libraries: ";
    const char *at = strstr(line, fatal);

    line[strcspn(line, "\n")] = '\0';
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

static bool read_answer(struct hd_elf_info *info, FILE *answer, hd_loads_fn *fn, void *arg)
{
    char line[5000];
    bool good = true;

    while (fgets(line, sizeof line, answer) != NULL) {
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

/* If the loader cannot be asked, returns true without a result. */
bool hd_loads_each(struct hd_elf_info *info, hd_loads_fn *fn, void *arg)
{
    int fds[2];

    fflush(NULL);
    if (pipe2(fds, O_CLOEXEC) != 0)
        return true;
    pid_t pid = fork();

    if (pid == 0)
        become_loader(info, fds[1]);
    close(fds[1]);
    FILE *answer = fdopen(fds[0], "r");
    bool good = answer == NULL || pid < 0 || read_answer(info, answer, fn, arg);

    if (answer != NULL)
        fclose(answer);
    else
        close(fds[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return good;
}

bool hd_loads(struct hd_elf_info *info)
{
    return hd_loads_each(info, NULL, NULL);
}
