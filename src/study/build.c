/* SPDX-License-Identifier: BSD-2-Clause
 *
 * build.c - compiles the programs of a study.
 *
 * The name in the cache depends on how the program is built; the dependency file that the
 * compiler wrote (-MMD) shows whether it is up to date. */
#include "study/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/version.h"
#include "conductor/launch.h"
#include "conductor/signals.h"

#define COMPILING 300 /* seconds; a longer compilation counts as hanging */

/* ---- processes -------------------------------------------------------------------------------- */

bool hd_study_words(char *text, char **words, size_t *n)
{
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        if (*n + 1 >= HD_STUDY_WORDS)
            return false;
        words[(*n)++] = word;
    }
    words[*n] = NULL;
    return true;
}

static void become(char *const *argv, const char *dir, const char *log)
{
    int in = open("/dev/null", O_RDONLY);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* a killed study leaves no process behind */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || chdir(dir) != 0)
        _exit(126);
    execv("/proc/self/exe", argv);
    _exit(126);
}

int hd_study_spawn(char *const *argv, const char *dir, const char *log)
{
    pid_t parent = getpid(), pid = fork();

    if (pid == 0) {
        if (getppid() != parent)
            _exit(126);
        become(argv, dir, log);
    }
    if (pid > 0)
        setpgid(pid, pid); /* whichever process is first */
    return pid;
}

void hd_study_wait_moment(void)
{
    const struct timespec moment = { 0, 200000000 };
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &moment);
}

void hd_study_log_line(const char *log, char *buf, size_t cap)
{
    FILE *f = fopen(log, "r");
    char line[1024];

    buf[0] = '\0';
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        bool error = strstr(line, "error") != NULL || strncmp(line, "heddle", 6) == 0;

        line[strcspn(line, "\n")] = '\0';
        if (buf[0] == '\0' || error)
            snprintf(buf, cap, "%s", line);
        if (error)
            break;
    }
    if (f != NULL)
        fclose(f);
}

/* ---- files ------------------------------------------------------------------------------------ */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_cxx(const char *file)
{
    return ends_with(file, ".cc") || ends_with(file, ".cpp") || ends_with(file, ".cxx");
}

static bool is_source(const char *file)
{
    return ends_with(file, ".c") || is_cxx(file);
}

/* Finds the nearest directory, from that of the list upward, that contains the file.  Returns false
 * if there is none. */
static bool find_root(const char *list, const char *file, char *root, size_t cap)
{
    char path[2 * PATH_MAX];

    snprintf(root, cap, "%s", file[0] == '/' ? "/" : list);
    for (char *slash; file[0] != '/' && (slash = strrchr(root, '/')) != NULL;) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/%s", root, file);
        if (access(path, R_OK) == 0)
            break;
    }
    if (root[0] == '\0')
        snprintf(root, cap, "/");
    snprintf(path, sizeof path, "%s/%s", root, file);
    return access(file[0] == '/' ? file : path, R_OK) == 0;
}

static bool digest(const char *path, char *out, size_t cap)
{
    FILE *f = fopen(path, "r");
    static char bytes[1 << 16];
    uint64_t h = 0;
    size_t n;

    if (f == NULL)
        return false;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        h = hd_hash_bytes(h, bytes, n);
    fclose(f);
    snprintf(out, cap, "%016llx", (unsigned long long)h);
    return true;
}

static bool newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* True if the program exists and no file of its dependency list is newer. */
static bool up_to_date(const char *program, const char *depends, const char *root)
{
    struct stat made, st;
    char word[PATH_MAX], path[2 * PATH_MAX];
    FILE *f = stat(program, &made) == 0 ? fopen(depends, "r") : NULL;
    bool good = f != NULL;

    while (good && fscanf(f, "%4095s", word) == 1) {
        if (ends_with(word, ":") || strcmp(word, "\\") == 0)
            continue;
        snprintf(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : root, word[0] == '/' ? "" : "/", word);
        good = stat(path, &st) == 0 && !newer(&st.st_mtim, &made.st_mtim);
    }
    if (f != NULL)
        fclose(f);
    return good;
}

/* ---- compiling -------------------------------------------------------------------------------- */

/* Makes the command heddle cc -O1 -g -MMD -MF depends SOURCES CFLAGS -o temporary.
 * bench/programs/check uses the same options, so that the counts are the same. */
static bool command(const struct hd_study_program *p, char *words[], char *sources, char *cflags,
                    char *depends, char *temporary)
{
    size_t n = 0;
    bool cxx = false;

    words[n++] = "heddle";
    words[n++] = "cc";
    for (const char *w[] = { "-O1", "-g", "-MMD", "-MF", NULL }, **at = w; *at != NULL; at++)
        words[n++] = (char *)*at;
    words[n++] = depends;
    size_t first = n;

    snprintf(sources, PATH_MAX, "%s", p->source);
    snprintf(cflags, PATH_MAX, "%s", p->cflags);
    if (!hd_study_words(sources, words, &n))
        return false;
    for (size_t i = first; i < n; i++)
        cxx |= is_cxx(words[i]);
    if (cxx)
        words[1] = "c++";
    if (!hd_study_words(cflags, words, &n) || n + 3 >= HD_STUDY_WORDS)
        return false;
    words[n++] = "-o";
    words[n++] = temporary;
    words[n] = NULL;
    return true;
}

/* Waits for the compiler.  Returns false if it was killed, by the user or because it took too long. */
static bool await_compiler(pid_t pid, int *status, struct hd_study_built *out)
{
    double deadline = hd_seconds_now() + COMPILING;
    pid_t ended;

    while ((ended = waitpid(pid, status, WNOHANG)) == 0 && hd_seconds_now() < deadline && !hd_signals_wait())
        hd_study_wait_moment();
    if (ended == pid)
        return true;
    out->stopped = hd_signals_wait();
    snprintf(out->error, sizeof out->error, "still compiling after %d s", COMPILING);
    kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

static bool run_compiler(char *const *words, const char *root, const char *log, struct hd_study_built *out)
{
    pid_t pid = hd_study_spawn(words, root, log);
    int status = -1;

    if (pid > 0 && !await_compiler(pid, &status, out))
        return false;
    if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    hd_study_log_line(log, out->error, sizeof out->error);
    if (out->error[0] == '\0')
        snprintf(out->error, sizeof out->error, "the compiler could not be run");
    return false;
}

static bool compile(const struct hd_study_program *p, const char *stem, struct hd_study_built *out)
{
    char depends[PATH_MAX + 32], log[PATH_MAX + 32], temporary[PATH_MAX + 32];
    char sources[PATH_MAX], cflags[PATH_MAX], *words[HD_STUDY_WORDS];

    snprintf(depends, sizeof depends, "%s.d", stem);
    snprintf(log, sizeof log, "%s.log", stem);
    snprintf(temporary, sizeof temporary, "%s.%ld", stem, (long)getpid()); /* another study may build it */
    if (up_to_date(stem, depends, out->root))
        return true;
    if (!command(p, words, sources, cflags, depends, temporary)) {
        snprintf(out->error, sizeof out->error, "source and cflags have too many words");
        return false;
    }
    if (!run_compiler(words, out->root, log, out))
        return false;
    if (rename(temporary, stem) == 0)
        return true;
    snprintf(out->error, sizeof out->error, "cannot rename what was compiled: %s", strerror(errno));
    return false;
}

/* Computes the file name of a program in the cache. */
static void stem_of(const struct hd_study_program *p, const char *cache, const char *root, char *stem,
                    size_t cap)
{
    uint64_t h = hd_hash_bytes(0, root, strlen(root));
    char name[100];

    h = hd_hash_bytes(h, p->source, strlen(p->source));
    h = hd_hash_bytes(h, p->cflags, strlen(p->cflags));
    h = hd_hash_bytes(h, HD_VERSION_TEXT, strlen(HD_VERSION_TEXT));
    snprintf(name, sizeof name, "%s", p->name);
    for (char *c = name; *c != '\0'; c++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c) == NULL)
            *c = '_';
    snprintf(stem, cap, "%s/%s-%08x", cache, name, (unsigned)(h ^ h >> 32));
}

void hd_study_compile(const struct hd_study_program *p, const char *list, const char *cache,
                      struct hd_study_built *out)
{
    char first[PATH_MAX];

    *out = (struct hd_study_built){ .good = false };
    snprintf(first, sizeof first, "%.*s", (int)strcspn(p->source, " "), p->source);
    if (!find_root(list, first, out->root, sizeof out->root)) {
        snprintf(out->error, sizeof out->error, "there is no %.300s beside the list or in a directory above it",
                 first);
        return;
    }
    if (is_source(first)) {
        stem_of(p, cache, out->root, out->program, sizeof out->program);
        out->good = compile(p, out->program, out);
    } else { /* already built */
        int n = first[0] == '/' ? snprintf(out->program, sizeof out->program, "%s", first)
                                : snprintf(out->program, sizeof out->program, "%s/%s", out->root, first);

        out->good = (size_t)n < sizeof out->program;
    }
    out->good = out->good && digest(out->program, out->digest, sizeof out->digest);
}
