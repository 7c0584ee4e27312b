/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frameworks.c - test frameworks.  GoogleTest and <heddle/test.h> can list their tests and
 * run one alone by arguments.  Criterion runs each test in its own process, and cmocka can
 * do neither: for these two a library is preloaded (src/each).  Tests are listed by running
 * the program without Heddle. */
#include "program/frameworks.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/each.h"
#include "base/vec.h"
#include "conductor/launch.h"
#include "program/paths.h"

enum { LISTING_SECONDS = 60, LIST_FD = 3 };

struct hd_framework {
    const char *name;
    const char *mark;   /* a string that occurs in every program that uses it */
    const char *shared; /* library that must be shared so that the preloaded one can interpose;
                         * NULL: nothing is preloaded */
    const char *lists;  /* argument that lists the tests, or NULL */
    const char *runs;   /* argument that runs one test, without the name; NULL if lists is NULL */
    const char *const *more; /* additional arguments */
    void (*read)(struct hd_tests *t, char *list);
    bool counts; /* its exit code after listing is the number of tests */
    char suite;  /* separator between the suite and the rest of a test's name (its first occurrence); 0: there are
                  * no suites */
};

static void read_gtest(struct hd_tests *t, char *list);
static void read_preloaded(struct hd_tests *t, char *list);
static void read_names(struct hd_tests *t, char *list);
static void read_lines(struct hd_tests *t, char *list);

/* A failed assertion of GoogleTest becomes an uncaught exception, so the report names the
 * place of the failure and not an exit code long afterwards.  Output files that CI asked
 * GoogleTest for are suppressed, because every execution would write them. */
static const char *const gtest_more[] = { "--gtest_throw_on_failure", "--gtest_catch_exceptions=0",
                                          "--gtest_color=no", "--gtest_output=", NULL };
static const char *const catch_more[] = { "--use-colour", "no", NULL };
static const char *const no_more[] = { NULL };

#define GTEST_ARGUMENTS "--gtest_list_tests", "--gtest_filter=", gtest_more, read_gtest, false, '.'

static const struct hd_framework frameworks[] = {
    { "Heddle", "(tests of <heddle/test.h>)", NULL, "--list", "--only=", no_more, read_names, false, 0 },
    { "GoogleTest", "gtest_list_tests", NULL, GTEST_ARGUMENTS },
    { "GoogleTest", "libgtest.so", NULL, GTEST_ARGUMENTS },
    { "Catch2", "list-test-names-only", NULL, "--list-test-names-only", "", catch_more,
      read_lines, true, 0 },
    { "Criterion", "criterion_internal_test_main", "libcriterion.so.3", NULL, NULL, no_more,
      read_preloaded, false, '/' },
    { "cmocka", "_cmocka_run_group_tests", "libcmocka.so.0", NULL, NULL, no_more, read_preloaded,
      false, 0 },
};

const char *hd_framework_name(const struct hd_framework *f)
{
    return f->name;
}

bool hd_framework_preloads(const struct hd_framework *f)
{
    return f->shared != NULL;
}

/* GoogleTest's names of suites contain '/', as in "Few/WithParameter.Counts/1", but no '.'. */
unsigned hd_framework_suite(const struct hd_framework *f, const char *test)
{
    const char *end = f->suite != 0 ? strchr(test, f->suite) : NULL;

    return end != NULL && end[1] != '\0' ? (unsigned)(end - test) : 0;
}

/* ---- recognition ------------------------------------------------------------------------- */

struct file {
    const char *data;
    size_t size;
};

static bool holds(const struct file *f, const char *text)
{
    return f->data != NULL && memmem(f->data, f->size, text, strlen(text)) != NULL;
}

static void map_file(const char *path, struct file *f)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    f->data = NULL;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

        f->data = p != MAP_FAILED ? p : NULL;
        f->size = (size_t)st.st_size;
    }
    if (fd >= 0)
        close(fd);
}

static const struct hd_framework *recognise(const char *program, const struct file *f)
{
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        const struct hd_framework *w = &frameworks[i];

        if (!holds(f, w->mark))
            continue;
        if (w->shared == NULL || holds(f, w->shared))
            return w;
        fprintf(stderr, "heddle: %s: --each needs %s as a shared library, %s; link the program with "
                        "that one\n", program, w->name, w->shared);
        return NULL;
    }
    fprintf(stderr, "heddle: %s: --each finds no GoogleTest, Catch2, Criterion, cmocka or "
                    "HEDDLE_TEST_MAIN in it; leave --each out to search the program as a whole\n", program);
    return NULL;
}

/* ---- listing -------------------------------------------------------------------------------- */

static _Noreturn void become_lister(const struct hd_framework *w, const struct hd_elf_info *elf,
                                    char *const *argv, int out)
{
    char path[4096], preload[8300], wish[32];
    const char *inherited = getenv("LD_PRELOAD");
    int null = open("/dev/null", O_RDWR);

    dup2(null, STDIN_FILENO);
    dup2(w->lists != NULL ? out : null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (hd_framework_preloads(w)) {
        dup2(out, LIST_FD); /* dup2 clears CLOEXEC unless it is the same descriptor */
        fcntl(LIST_FD, F_SETFD, 0);
        snprintf(wish, sizeof wish, HD_EACH_LIST "%d", LIST_FD);
        if (!hd_path_of(HD_LIB_EACH, path, sizeof path))
            _exit(HD_EXIT_USAGE);
        setenv(HD_EACH_ENV, wish, 1);
        snprintf(preload, sizeof preload, "%s%s%.4100s", path, inherited != NULL ? ":" : "",
                 inherited != NULL ? inherited : "");
        setenv("LD_PRELOAD", preload, 1);
    }
    execv(elf->path, argv);
    _exit(HD_EXIT_USAGE);
}

/* Reads until the program closes its end of the pipe.  Returns false if that takes too long. */
static bool read_all(int fd, char **text)
{
    double end = hd_seconds_now() + LISTING_SECONDS;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    size_t used = 0;
    ssize_t n = 1;

    *text = NULL;
    while (n > 0) {
        *text = hd_resized(*text, used + 4097, 1);
        (*text)[used] = '\0';
        if (hd_seconds_now() > end || poll(&p, 1, 100) < 0)
            return false;
        n = p.revents != 0 ? read(fd, *text + used, 4096) : 0;
        if (n == 0 && p.revents == 0)
            n = 1; /* no input yet */
        else if (n > 0)
            used += (size_t)n;
        (*text)[used] = '\0';
    }
    return true;
}

static bool ended_well(const struct hd_framework *w, const char *program, int status)
{
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || w->counts))
        return true;
    fprintf(stderr, "heddle: %s: it cannot list its tests: it ended with %s %d; run it alone first\n",
            program, WIFSIGNALED(status) ? "signal" : "exit code",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return false;
}

static char **with_argument(char *const *argv, const char *const *more, unsigned n)
{
    unsigned k = 0;

    while (argv[k] != NULL)
        k++;
    char **all = hd_zeroed(k + n + 1, sizeof *all);

    for (unsigned i = 0; i < k; i++)
        all[i] = argv[i];
    for (unsigned i = 0; i < n; i++) {
        all[k + i] = hd_copied(more[i]);
    }
    return all;
}

/* Returns the program's list of tests.  Returns NULL, after a message, if there is none. */
static char *list(const struct hd_framework *w, const struct hd_elf_info *elf, char *const *argv)
{
    char **arguments = with_argument(argv, &w->lists, w->lists != NULL);
    int fd[2], status = 0;
    char *text = NULL;

    HD_INVARIANT(pipe2(fd, O_CLOEXEC) == 0, "no pipe");
    fflush(NULL);
    pid_t pid = fork();

    HD_INVARIANT(pid >= 0, "no process");
    if (pid == 0)
        become_lister(w, elf, arguments, fd[1]);
    close(fd[1]);
    bool in_time = read_all(fd[0], &text);

    close(fd[0]);
    if (!in_time) {
        kill(pid, SIGKILL);
        fprintf(stderr, "heddle: %s: it did not list its tests within %d seconds\n", argv[0],
                LISTING_SECONDS);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    hd_test_argv_free(arguments, argv);
    if (in_time && ended_well(w, argv[0], status))
        return text;
    free(text);
    return NULL;
}

static void add_test(struct hd_tests *t, const char *name, const char *skipped)
{
    struct hd_test *test = HD_PUSH(t->all, t->n);

    test->name = hd_copied(name);
    test->skipped = skipped != NULL ? hd_copied(skipped) : NULL;
}

/* Reads GoogleTest's list: "Suite." followed by its tests, each indented by two blanks; either may
 * have a comment.  Ignores other output of the program. */
static void read_gtest(struct hd_tests *t, char *list)
{
    char suite[512] = "", name[1100];

    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *comment = strstr(line, "  # ");
        bool indented = strncmp(line, "  ", 2) == 0;

        if (comment != NULL)
            *comment = '\0';
        size_t n = strlen(line);

        if (!indented) {
            bool is_suite = n > 1 && line[n - 1] == '.' && strchr(line, ' ') == NULL;

            snprintf(suite, sizeof suite, "%s", is_suite ? line : "");
        } else if (suite[0] != '\0' && n > 2 && !isspace((unsigned char)line[2])) {
            snprintf(name, sizeof name, "%s%.500s", suite, line + 2);
            add_test(t, name, strncmp(line + 2, "DISABLED_", 9) == 0 ||
                                      strncmp(suite, "DISABLED_", 9) == 0 ||
                                      strstr(suite, "/DISABLED_") != NULL
                                  ? "disabled" : NULL);
        }
    }
}

static void read_preloaded(struct hd_tests *t, char *list)
{
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *why = strchr(line, '\t');

        if (why != NULL)
            *why++ = '\0';
        add_test(t, line, why);
    }
}

/* Reads one test name per line.  Names are identifiers; ignores other output of the program. */
static void read_names(struct hd_tests *t, char *list)
{
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *c = line;

        while (isalnum((unsigned char)*c) || *c == '_')
            c++;
        if (*c == '\0')
            add_test(t, line, NULL);
    }
}

/* Reads one test name per line, whatever it contains. */
static void read_lines(struct hd_tests *t, char *list)
{
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n"))
        add_test(t, line, NULL);
}

bool hd_tests_find(struct hd_tests *t, const struct hd_elf_info *elf, char *const *argv)
{
    struct file file;
    char *text = NULL;

    memset(t, 0, sizeof *t);
    map_file(elf->path, &file);
    t->framework = recognise(argv[0], &file);
    if (file.data != NULL)
        munmap((void *)(uintptr_t)file.data, file.size);
    if (t->framework != NULL)
        text = list(t->framework, elf, argv);
    if (text == NULL)
        return false;
    t->framework->read(t, text);
    free(text);
    if (t->n == 0)
        fprintf(stderr, "heddle: %s: it lists no tests\n", argv[0]);
    return t->n > 0;
}

void hd_tests_free(struct hd_tests *t)
{
    for (unsigned i = 0; i < t->n; i++) {
        free(t->all[i].name);
        free(t->all[i].skipped);
    }
    free(t->all);
}

/* ---- one test --------------------------------------------------------------------------------- */

/* Writes a name so that Catch2 takes it literally. */
static void escape(const char *name, char *buf, size_t cap)
{
    size_t n = 0;

    for (; *name != '\0' && n + 3 < cap; name++) {
        if (strchr(",[]\\\"*", *name) != NULL)
            buf[n++] = '\\';
        buf[n++] = *name;
    }
    buf[n] = '\0';
}

char **hd_test_argv(const struct hd_framework *f, char *const *argv, const char *test)
{
    char choice[1200];
    const char *more[8];
    unsigned n = 0;

    if (f->counts) {
        escape(test, choice, sizeof choice);
        more[n++] = choice;
    } else if (f->runs != NULL) {
        snprintf(choice, sizeof choice, "%s%s", f->runs, test);
        more[n++] = choice;
    }
    for (const char *const *word = f->more; *word != NULL; word++) {
        HD_INVARIANT(n < sizeof more / sizeof *more, "too many arguments");
        more[n++] = *word;
    }
    return with_argument(argv, more, n);
}

void hd_test_argv_free(char **argv, char *const *original)
{
    unsigned k = 0;

    while (original[k] != NULL)
        k++;
    for (unsigned i = k; argv[i] != NULL; i++)
        free(argv[i]);
    free(argv);
}
