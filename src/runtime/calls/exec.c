/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exec.c - a program that replaces itself by another one.  The new program is not the program under
 * test, and the worker would be lost.  So if exec would succeed, the execution ends as with
 * _exit(0), and the verdict says so.  Children that the target forked are not controlled
 * (core/state.h, R2), so their exec calls go to libc. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/calls/exit.h"
#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/text.h"

enum { PATH_ROOM = 4096 };

static bool is_program(const char *path)
{
    static struct stat s;

    return hd_sys(SYS_stat, path, &s, 0) == 0 && S_ISREG(s.st_mode) &&
           hd_sys(SYS_access, path, X_OK, 0) == 0;
}

static _Noreturn void replaced(uint64_t pc)
{
    hd_qualified("it replaces itself by another program (exec): what that does is not part of the execution");
    hd_exit_at_once(0, pc);
}

/* Ends the execution if a controlled thread calls exec with a path that can be executed.  Returns
 * otherwise. */
static void exec_path(const char *path, uint64_t pc)
{
    if (hd.cur != NULL && is_program(path))
        replaced(pc);
}

static bool has_slash(const char *file)
{
    for (; *file != '\0'; file++)
        if (*file == '/')
            return true;
    return false;
}

/* Like exec_path, for each directory of PATH.  The default path is that of libc. */
static void exec_file(const char *file, uint64_t pc)
{
    static char path[PATH_ROOM];
    const char *at = getenv("PATH");

    if (hd.cur == NULL || has_slash(file)) {
        exec_path(file, pc);
        return;
    }
    for (at = at != NULL ? at : "/bin:/usr/bin"; *at != '\0'; at += *at == ':') {
        size_t n = 0;

        for (; *at != '\0' && *at != ':'; at++)
            path[n < PATH_ROOM / 2 ? n++ : n] = *at;
        hd_format(path + n, sizeof path - n, "%s%s", n > 0 ? "/" : "", file);
        exec_path(path, pc);
    }
}

HD_EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
    if (hd.cur != NULL && hd_sys(SYS_fcntl, fd, F_GETFD, 0) >= 0)
        replaced(HD_RETURN_PC);
    return HD_REAL(fexecve)(fd, argv, env);
}

/* Declares argv: an array of first and the following arguments up to NULL. ap then points to the
 * argument after NULL. */
#define COLLECT(first)                                          \
    va_list ap;                                                 \
    size_t n = 1;                                               \
                                                                \
    va_start(ap, first);                                        \
    while (va_arg(ap, char *) != NULL)                          \
        n++;                                                    \
    va_end(ap);                                                 \
    char *argv[n + 1];                                          \
                                                                \
    argv[0] = (char *)(uintptr_t)(first);                       \
    va_start(ap, first);                                        \
    for (size_t i = 1; i <= n; i++)                             \
        argv[i] = va_arg(ap, char *)

HD_EXPORT int execl(const char *path, const char *arg, ...)
{
    exec_path(path, HD_RETURN_PC);
    COLLECT(arg);
    va_end(ap);
    return HD_REAL(execv)(path, argv);
}

HD_EXPORT int execlp(const char *file, const char *arg, ...)
{
    exec_file(file, HD_RETURN_PC);
    COLLECT(arg);
    va_end(ap);
    return HD_REAL(execvp)(file, argv);
}

HD_EXPORT int execle(const char *path, const char *arg, ...)
{
    exec_path(path, HD_RETURN_PC);
    COLLECT(arg);
    char *const *env = va_arg(ap, char *const *);

    va_end(ap);
    return HD_REAL(execve)(path, argv, env);
}

#define CALLS_EXEC
#include "runtime/calls/calls.def"
