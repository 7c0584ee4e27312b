/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_assemble.c - `heddle assemble MODE TOOL ARGUMENTS...`: gcc starts each of its programs through this verb
 * (-wrapper) under `heddle cc`.  The compiler proper also writes a dump, which shows the stores for which it calls no
 * hook (program/struct_returns.h); this verb appends notes about them to the compiler's output.  In text for the
 * assembler, it looks for inline assembly that synchronises without Heddle's knowledge, and replaces transactional
 * instructions (program/transactions.h).  All other programs are just started.  clang starts this program under the
 * name of the assembler (cmd_cc.c); its inline assembly is not searched.
 *
 *   warn   prints the place and records it in a section of the object, so that a search of
 *          the program knows it (scan/noted.h)
 *   ignore records it without a message
 *   point  inserts a call of the runtime before each such statement, and before those that
 *          touch memory in any other way (a mere store may release a lock), so that the
 *          statement is a scheduling point */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/registry.h"
#include "program/assembly.h"
#include "program/struct_returns.h"
#include "program/transactions.h"
#include "scan/noted.h"

#define CALL "\tcall\theddle_rt_assembly@PLT\n"

enum { MAX_PLACES = 256 };

/* A place in the source.  It may occur in many functions because of inlining. */
struct place {
    char *file, *function, *instruction;
    unsigned line, functions;
};

struct job {
    const char *text;
    struct place place[MAX_PLACES];
    unsigned n, points, notes;
    bool point;
    char *out; /* the text with the inserted calls */
    size_t out_len, copied;
    FILE *to;
};

/* ---- places ---------------------------------------------------------------------------- */

static void note(struct job *j, const struct hd_asm_place *p)
{
    for (unsigned i = 0; i < j->n; i++) {
        struct place *known = &j->place[i];

        if (known->line == p->line && strcmp(known->file, p->file) == 0) {
            known->functions += strcmp(known->function, p->function) != 0;
            return;
        }
    }
    if (j->n == MAX_PLACES)
        return;
    j->place[j->n++] = (struct place){ strdup(p->file), strdup(p->function),
                                       strdup(p->instruction), p->line, 1 };
}

static void found(const struct hd_asm_place *p, void *arg)
{
    struct job *j = arg;

    if (p->synchronises)
        note(j, p);
    if (!j->point) {
        j->notes++;
        hd_noted_write(j->to, HD_NOTED_ASSEMBLY, p->function, p->file, p->line);
        return;
    }
    j->points++;
    fwrite(j->text + j->copied, 1, p->at - j->copied, j->to);
    fputs(CALL, j->to);
    j->copied = p->at;
}

static void tell(const struct job *j)
{
    for (unsigned i = 0; i < j->n; i++) {
        const struct place *p = &j->place[i];

        fprintf(stderr, "%s:%u: warning: Heddle does not see the inline assembly in '%s'", p->file,
                p->line, p->function);
        if (p->functions > 1)
            fprintf(stderr, " (and %u more functions)", p->functions - 1);
        fprintf(stderr, ": '%s'\n", p->instruction);
    }
    if (j->n > 0)
        fputs("note: accesses that it synchronises look unsynchronised: use the compiler's atomics, or make "
              "it a point with 'heddle cc --asm=point' (--asm=ignore: no warning)\n", stderr);
}

/* ---- the text ------------------------------------------------------------------------------ */

static char *read_all(int fd)
{
    size_t n = 0, cap = 1 << 16;
    char *text = malloc(cap);
    ssize_t got = 1;

    while (text != NULL && got > 0) {
        if (cap - n < 2) {
            char *larger = realloc(text, cap *= 2);

            if (larger == NULL)
                free(text);
            text = larger;
        }
        if (text != NULL) {
            got = read(fd, text + n, cap - n - 1);
            n += got > 0 ? (size_t)got : 0;
        }
    }
    if (text != NULL)
        text[n] = '\0';
    if (got < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Returns the argument that names the assembler's input file. gcc names it last. */
static char **input_of(char **argv)
{
    char **input = NULL;

    for (char **w = argv + 1; *w != NULL; w++) {
        if (strcmp(*w, "-o") == 0 && w[1] != NULL)
            w++;
        else if (**w != '-')
            input = w;
    }
    return input;
}

static bool is_tool(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash != NULL ? slash + 1 : path, name) == 0;
}

/* ---- starting -------------------------------------------------------------------------- */

static int start(char **argv)
{
    execvp(argv[0], argv);
    perror(argv[0]);
    return HD_EXIT_USAGE;
}

/* Prints an error.  The build must stop: continuing without the check would hide code from every
 * search. */
static int cannot_look(const char *file)
{
    fprintf(stderr, "heddle: cannot check the output of gcc for %s: %s\n", file, strerror(errno));
    return HD_EXIT_USAGE;
}

/* Returns a copy of argv with room for `more` additional words and the terminating NULL. */
static char **copy_of(char **argv, size_t more)
{
    size_t n = 0;

    while (argv[n] != NULL)
        n++;
    char **with = calloc(n + more + 1, sizeof *with);

    if (with != NULL)
        memcpy(with, argv, n * sizeof *with);
    return with;
}

/* Starts the assembler with `text` as its input.  Returns only on an error, with the exit code. */
static int assemble_text(char **argv, char **input, const char *text)
{
    FILE *f = tmpfile();
    char path[64];
    char **with = copy_of(argv, 0);

    if (with == NULL || f == NULL || fwrite(text, 1, strlen(text), f) != strlen(text) || fflush(f) != 0)
        return cannot_look(*input);
    /* the file has no name: the assembler inherits it and reads it through its descriptor */
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
    with[input - argv] = path;
    return start(with);
}

/* Checks the input of the assembler and starts the assembler.  The notes precede the original text. */
static int look_and_assemble(const char *mode, char **argv)
{
    struct job j = { .point = strcmp(mode, "point") == 0 };
    char **input = input_of(argv);
    int fd = input != NULL ? open(*input, O_RDONLY | O_CLOEXEC) : -1;

    if (fd < 0)
        return start(argv); /* the assembler reports the error itself */
    char *text = read_all(fd), *replaced;
    bool failed = text == NULL;

    replaced = text != NULL ? hd_transactions_replace(text, &failed) : NULL;
    if (failed)
        return cannot_look(*input);
    if (replaced != NULL)
        text = replaced;
    j.to = open_memstream(&j.out, &j.out_len);
    if (j.to == NULL)
        return cannot_look(*input);
    j.text = text;
    hd_asm_scan(text, found, &j);
    fputs(text + j.copied, j.to);
    if (fclose(j.to) != 0)
        return cannot_look(*input);
    if (strcmp(mode, "ignore") != 0 && !j.point)
        tell(&j);
    if (j.points + j.notes > 0 || replaced != NULL)
        return assemble_text(argv, input, j.out);
    return start(argv);
}

/* ---- the compiler proper ------------------------------------------------------------------------ */

static void note_returned(const struct hd_struct_returns_place *p, void *arg)
{
    hd_noted_write(arg, HD_NOTED_RETURNED, p->function, p->file, p->line);
}

/* Appends the notes about the dump to the output.  Returns false if the dump could not be read or
 * the notes could not be written. */
static bool note_dump(int dump, const char *output)
{
    char *text = lseek(dump, 0, SEEK_SET) == 0 ? read_all(dump) : NULL;
    FILE *to = text != NULL ? fopen(output, "ae") : NULL;
    bool noted = to != NULL;

    if (noted) {
        hd_struct_returns_scan(text, note_returned, to);
        noted = ferror(to) == 0;
        noted &= fclose(to) == 0;
    }
    free(text);
    return noted;
}

/* Returns the compiler's output file for the assembler.  Returns NULL if there is none or it is not
 * a file. */
static const char *output_of(char **argv)
{
    const char *output = NULL;
    bool instruments = false;

    for (char **w = argv + 1; *w != NULL; w++) {
        if (strcmp(*w, "-E") == 0)
            return NULL;
        instruments |= strcmp(*w, "-fsanitize=thread") == 0;
        if (strcmp(*w, "-o") == 0 && w[1] != NULL)
            output = *++w;
    }
    return instruments && output != NULL && strcmp(output, "-") != 0 ? output : NULL;
}

/* Returns the arguments with the options that write the dump.  Without optimisation the pass is
 * called tsan0.  The dump stays in memory. */
static char **with_dump(char **argv, int dump)
{
    static char option[2][96];
    char **with = copy_of(argv, 2);
    size_t n = 0;

    if (with == NULL)
        return NULL;
    while (with[n] != NULL)
        n++;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(option[i], sizeof option[i], "-fdump-tree-tsan%s-lineno-uid=/proc/self/fd/%d", i == 0 ? "" : "0", dump);
        with[n + i] = option[i];
    }
    return with;
}

static int compile_and_note(char **argv)
{
    const char *output = output_of(argv);

    if (output == NULL)
        return start(argv);
    int status, dump = memfd_create("heddle-dump", 0);
    char **with = dump >= 0 ? with_dump(argv, dump) : NULL;
    pid_t pid = with != NULL ? fork() : -1;

    if (pid < 0)
        return cannot_look(output);
    if (pid == 0)
        return start(with);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status)) {
        raise(WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    if (WEXITSTATUS(status) == 0 && !note_dump(dump, output))
        return cannot_look(output);
    return WEXITSTATUS(status);
}

int hd_cmd_assemble(int argc, char **argv)
{
    if (argc < 3)
        return HD_EXIT_USAGE;
    if (is_tool(argv[2], "cc1") || is_tool(argv[2], "cc1plus"))
        return compile_and_note(argv + 2);
    if (!is_tool(argv[2], "as"))
        return start(argv + 2);
    return look_and_assemble(argv[1], argv + 2);
}

int hd_cmd_as(char **argv)
{
    static char name[] = "as";

    argv[0] = name;
    return look_and_assemble("ignore", argv);
}
