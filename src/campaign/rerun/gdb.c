/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gdb.c - `heddle replay --gdb`.
 *
 * gdb starts the program through `heddle debuggee` (its exec-wrapper), which creates a wire, fills
 * it from the schedule file and then executes the program.  So every `run` in gdb has its own wire:
 * to go back, the extension runs the program again and stops it earlier.  No process of Heddle
 * watches the program, and no watchdog kills it for being slow.
 *
 * The extension for gdb is in src/gdb.  It reports the result of the session as one letter in a
 * file that both processes have open. */
#include "campaign/rerun/gdb.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/session/libraries.h"
#include "campaign/session/library_atomics.h"
#include "program/paths.h"

/* ---- the program under gdb ----------------------------------------------------------- */

static int become(struct hd_session *s)
{
    struct hd_libraries lib;
    struct hd_launch l = { .path = s->elf.path, .argv = s->argv, .wire_fd = s->wires.fd };
    const char *what;

    s->wire->config.debug = 1;
    s->wire->config.judged = HD_JUDGED_NOT; /* no conductor runs to apply suppressions to the findings */
    hd_locked_tell(&s->elf, s->wires.common->locked, &s->ledger);
    if (!hd_libraries_set(&lib, &s->elf, s->preloads_test ? s->test : NULL, &l))
        return HD_EXIT_USAGE;
    hd_launch_here(&l, &what);
    fprintf(stderr, "heddle: %s: %s: %s\n", s->program, what, strerror(errno));
    return HD_EXIT_USAGE;
}

int hd_cmd_debuggee(const struct hd_options *o)
{
    struct hd_recorded recorded;
    struct hd_session s;
    int code = HD_EXIT_USAGE;

    if (hd_recorded_read(&recorded, o)) {
        code = hd_recorded_open(&recorded, &s, o);
        if (code == HD_EXIT_CLEAN)
            code = become(&s);
        hd_session_close(&s);
    }
    hd_recorded_free(&recorded);
    return code;
}

/* ---- gdb ----------------------------------------------------------------------------------- */

static const char *gdb_program(void)
{
    const char *named = getenv("HEDDLE_GDB");

    return named != NULL && named[0] != '\0' ? named : "gdb";
}

/* Sets the environment variables for the extension.  Heddle's variables do not reach the program. */
static void set_environment(const struct hd_recorded *r, const struct hd_options *o, int status)
{
    char file[4096], self[4096], fd[16];

    if (realpath(r->file, file) == NULL || realpath("/proc/self/exe", self) == NULL)
        return; /* the extension then reports that Heddle did not start it */
    snprintf(fd, sizeof fd, "%d", status);
    setenv("HEDDLE_GDB_FILE", file, 1);
    setenv("HEDDLE_GDB_SELF", self, 1);
    setenv("HEDDLE_GDB_STATUS", fd, 1);
    setenv("HEDDLE_GDB_OUTPUT", o->show_output ? "1" : "", 1);
    /* gdb passes the size of its terminal to the program as environment variables, which the program did not have
     * in the search */
    setenv("HEDDLE_GDB_SIZE", getenv("LINES") == NULL && getenv("COLUMNS") == NULL ? "" : "1", 1);
}

static char **gdb_arguments(const struct hd_recorded *r, const struct hd_options *o, char *extension)
{
    char **argv = hd_zeroed(12 + 2 * (size_t)o->ngdb_commands + r->schedule.nargs, sizeof *argv);
    size_t n = 0;

    argv[n++] = (char *)(uintptr_t)gdb_program();
    argv[n++] = "-q";
    if (o->ngdb_commands > 0)
        argv[n++] = "-batch";
    argv[n++] = "-x";
    argv[n++] = extension;
    argv[n++] = "-ex";
    argv[n++] = "heddle start";
    for (uint32_t i = 0; i < o->ngdb_commands; i++) {
        argv[n++] = "-ex";
        argv[n++] = (char *)(uintptr_t)o->gdb_commands[i];
    }
    argv[n++] = "--args";
    for (char **arg = r->argv; *arg != NULL; arg++)
        argv[n++] = *arg;
    return argv;
}

static _Noreturn void become_gdb(const struct hd_recorded *r, const struct hd_options *o,
                                 char *extension, int status)
{
    prctl(PR_SET_PDEATHSIG, SIGHUP); /* as if the terminal were closed */
    set_environment(r, o, status);
    char **argv = gdb_arguments(r, o, extension);

    execvp(argv[0], argv);
    fprintf(stderr, "heddle: cannot start %s: %s\n"
                    "heddle: --gdb needs gdb: install it (Debian: apt install gdb), or name one in "
                    "HEDDLE_GDB\n", argv[0], strerror(errno));
    _exit(HD_EXIT_USAGE);
}

/* Runs gdb and returns its wait status, or -1 after a message.  gdb has the terminal, so this
 * process ignores the signals of keys: they are for gdb and its program. */
static int run_gdb(const struct hd_recorded *r, const struct hd_options *o, char *extension,
                   int status)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
    int ended = 0;

    fflush(NULL);
    pid_t pid = fork();

    if (pid == 0)
        become_gdb(r, o, extension, status);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (pid > 0)
        return ended;
    fprintf(stderr, "heddle: cannot start gdb: %s\n", strerror(errno));
    return -1;
}

/* Returns the exit code for the letter that src/gdb/heddle/session.py has written. */
static int judge(int status, int ended)
{
    char letter = 0;

    if (pread(status, &letter, 1, 0) != 1)
        letter = 0;
    switch (letter) {
    case 'f':
        return HD_EXIT_FINDING;
    case 'd':
        return HD_EXIT_DIVERGED;
    case 'r':
        return HD_EXIT_CLEAN;
    case 'c':
        return HD_EXIT_SKIPPED;
    case 'e':
        return HD_EXIT_USAGE;
    default:
        break;
    }
    if (ended != -1 && !(WIFEXITED(ended) && WEXITSTATUS(ended) == HD_EXIT_USAGE))
        fprintf(stderr, "heddle: %s did not load Heddle's extension; is it gdb 12 or later, with "
                        "Python?\n", gdb_program());
    return HD_EXIT_USAGE;
}

int hd_gdb(struct hd_recorded *r, const struct hd_options *o)
{
    struct hd_session s;
    char extension[4096];
    int code = hd_recorded_open(r, &s, o); /* reports problems before gdb starts */

    hd_session_close(&s);
    if (code != HD_EXIT_CLEAN)
        return code;
    if (!hd_path_of(HD_SHARE_GDB, extension, sizeof extension) || access(extension, R_OK) != 0) {
        fprintf(stderr, "heddle: %s is missing; is the installation complete?\n", HD_SHARE_GDB);
        return HD_EXIT_USAGE;
    }
    int status = memfd_create("heddle-gdb", 0); /* gdb inherits it */

    if (status < 0) {
        fprintf(stderr, "heddle: cannot start gdb: %s\n", strerror(errno));
        return HD_EXIT_USAGE;
    }
    code = judge(status, run_gdb(r, o, extension, status));
    close(status);
    return code;
}
