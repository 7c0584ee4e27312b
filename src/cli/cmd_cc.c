/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_cc.c - `heddle cc` and `heddle c++`: the user's compiler with instrumentation, and
 * with Heddle's runtime instead of the sanitizer's.
 *
 * The user's arguments are passed after ours, so that they can override ours (-fno-sanitize=thread for one file, -g0),
 * and unchanged except that -pipe, -flto and -fintegrated-as are removed: with them code does not pass through our
 * assembler.  The arguments are examined only to find out what this call does.
 *
 * How the runtime is linked with an unpatched compiler:
 *   clang  -fno-sanitize-link-runtime, and libheddle named explicitly;
 *   gcc    has no such option: it passes -ltsan to the linker, which finds the directory
 *          HD_LIB_LINK_DIR first, where libtsan.so is libheddle.  (It also links
 *          libtsan_preinit.o, which only calls __tsan_init before any constructor.
 *          libheddle has that function.) */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/vec.h"
#include "cli/registry.h"
#include "program/linked.h"
#include "program/paths.h"

#define PATH_CAP 4096

/* A growing list of words; freed by exec or exit. */
struct list {
    char **word;
    size_t n;
};

static void push(struct list *l, const char *word)
{
    *HD_PUSH(l->word, l->n) = (char *)(uintptr_t)word;
    *HD_PUSH(l->word, l->n) = NULL;
    l->n--;
}

static void push_joined(struct list *l, const char *prefix, const char *rest)
{
    push(l, hd_formatted("%s%s", prefix, rest));
}

/* ---- the user's arguments ---------------------------------------------------------- */

struct request {
    const char *assembly;     /* --asm=: handling of inline assembly */
    bool wrapped;             /* the user already has a -wrapper */
    bool has_input;           /* there is something to compile or link */
    bool compiles;            /* the compiler compiles at least one input */
    bool cplusplus;           /* there is C++ to compile */
    bool no_link;             /* stops before linking */
    bool partial;             /* -r is given: no libraries are linked */
    const char *is_static;    /* the option that requests a static program */
    bool skip_next;           /* the next word is the value of this option */
    bool output_next;         /* the next word is the name of the output */
    bool language_next;       /* the next word is a language (-x) */
    char language[32];        /* language of the inputs; "": their names determine it */
    char *output;             /* NULL: a.out */
    bool own_map;             /* the user wants the linker's map */
    bool silent;              /* -w: no warnings */
    bool gnu_tm;              /* -fgnu-tm */
    bool all_reads;           /* the user's arguments already contain EVERY_READ, which clang accepts only once */
};

/* Without this option clang calls no hook for a read if a write to the same location follows directly.  But such a
 * read is a scheduling point and may conflict with a transaction. */
#define EVERY_READ "-tsan-instrument-read-before-write"

static bool one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* True for options whose value is the next word, which is then not an input file. */
static bool value_is_next_word(const char *word)
{
    static const char *const options[] = {
        "-o", "-I", "-L", "-D", "-U", "-A", "-B", "-T", "-u", "-z", "-e", "-x", "-h", "-G",
        "-MF", "-MT", "-MQ", "-MJ", "-include", "-imacros", "-isystem", "-isysroot", "-idirafter",
        "-iprefix", "-iquote", "-iwithprefix", "-iwithprefixbefore", "-imultilib", "-Xlinker",
        "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm", "-target", "-arch", "--param",
        "-aux-info", "-wrapper", "-specs", "--sysroot", "-dumpbase", "-dumpbase-ext", "-dumpdir",
        "-rpath", "-soname", NULL
    };

    return one_of(word, options);
}

/* True for an input that the compiler precompiles; then it links nothing. */
static bool is_header(const struct request *r, const char *word)
{
    static const char *const ends[] = { ".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H", ".HPP", ".tcc", NULL };
    const char *end = strrchr(word, '.');

    if (r->language[0] != '\0')
        return strstr(r->language, "-header") != NULL;
    return end != NULL && one_of(end, ends);
}

static bool is_cplusplus(const struct request *r, const char *word)
{
    static const char *const ends[] = { ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".hh", ".hpp", ".hxx", NULL };
    const char *end = strrchr(word, '.');

    if (r->language[0] != '\0')
        return strncmp(r->language, "c++", 3) == 0;
    return end != NULL && one_of(end, ends);
}

/* True for an input that only the linker reads. */
static bool is_linked(const struct request *r, const char *word)
{
    const char *base = strrchr(word, '/'), *end;

    if (r->language[0] != '\0')
        return false;
    end = strrchr(base != NULL ? base : word, '.');
    return end == NULL || strcmp(end, ".o") == 0 || strcmp(end, ".a") == 0 || strcmp(end, ".lo") == 0 || strstr(word, ".so") != NULL;
}

static void note_language(struct request *r, const char *language)
{
    snprintf(r->language, sizeof r->language, "%s", strcmp(language, "none") == 0 ? "" : language);
}

static void note_option(struct request *r, const char *word)
{
    static const char *const no_link[] = { "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only",
                                           "--precompile", "-emit-ast", NULL };
    static const char *const is_static[] = { "-static", "--static", "-static-pie",
                                             "-static-libtsan", NULL };

    r->own_map |= strstr(word, "-Map") != NULL;
    r->silent |= strcmp(word, "-w") == 0;
    r->gnu_tm |= strcmp(word, "-fgnu-tm") == 0;
    if (one_of(word, no_link))
        r->no_link = true;
    else if (strncmp(word, "-o", 2) == 0 && word[2] != '\0')
        r->output = strdup(word + 2);
    else if (strncmp(word, "-x", 2) == 0 && word[2] != '\0')
        note_language(r, word + 2);
    else if (strncmp(word, "--asm=", 6) == 0)
        r->assembly = word + 6;
    else if (strcmp(word, "-wrapper") == 0)
        r->wrapped = r->skip_next = true;
    else if (one_of(word, is_static))
        r->is_static = word;
    else if (strcmp(word, "-r") == 0)
        r->partial = true;
    else if (strncmp(word, "-l", 2) == 0)
        r->has_input = true;
    else
        r->skip_next = value_is_next_word(word);
    r->output_next = strcmp(word, "-o") == 0;
    r->language_next = strcmp(word, "-x") == 0;
}

static void note_response_file(struct request *r, const char *path);

static void note_word(struct request *r, const char *word, bool nested)
{
    r->all_reads |= strstr(word, EVERY_READ) != NULL;
    if (r->skip_next) {
        if (r->output_next)
            r->output = strdup(word);
        if (r->language_next)
            note_language(r, word);
        r->skip_next = r->output_next = r->language_next = false;
    } else if (word[0] == '@' && word[1] != '\0' && !nested)
        note_response_file(r, word + 1);
    else if (word[0] != '-' || word[1] == '\0') {
        r->has_input = true;
        r->compiles |= !is_linked(r, word);
        r->no_link |= is_header(r, word);
        r->cplusplus |= is_cplusplus(r, word);
    }
    else
        note_option(r, word);
}

/* Cuts the next word off a response file, in place.  Words are separated by blanks; quotes and
 * backslashes work as in the compilers.  Returns NULL at the end. */
static char *next_word(char **text)
{
    char *from = *text + strspn(*text, " \t\r\n");
    char *word = from, *to = from;
    char quote = '\0';

    if (*from == '\0')
        return NULL;
    for (; *from != '\0'; from++) {
        if (quote == '\0' && strchr(" \t\r\n", *from) != NULL)
            break;
        if (*from == '\\' && from[1] != '\0')
            *to++ = *++from;
        else if (quote == '\0' && (*from == '"' || *from == '\''))
            quote = *from;
        else if (*from == quote)
            quote = '\0';
        else
            *to++ = *from;
    }
    *text = from + (*from != '\0');
    *to = '\0';
    return word;
}

/* Examines the words of a response file.  If the file cannot be read, the compiler reports it. */
static void note_response_file(struct request *r, const char *path)
{
    char *text = hd_text_of_file(path);
    char *rest = text;
    char *word;

    while (rest != NULL && (word = next_word(&rest)) != NULL)
        note_word(r, word, true);
    free(text);
}

/* ---- which compiler -------------------------------------------------------------- */

static bool output_names_clang(int fd)
{
    char text[4096];
    size_t n = 0;
    ssize_t got;

    while (n < sizeof text - 1 && (got = read(fd, text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    return strstr(text, "clang") != NULL;
}

static _Noreturn void exec_version(const struct list *compiler, int out)
{
    struct list argv = { 0 };

    for (size_t i = 0; i < compiler->n; i++)
        push(&argv, compiler->word[i]);
    push(&argv, "--version");
    dup2(out, STDOUT_FILENO);
    execvp(argv.word[0], argv.word);
    _exit(127);
}

/* True if the compiler is clang. cc, c++ and wrappers may be either compiler, so --version decides. */
static bool is_clang(const struct list *compiler)
{
    const char *last = compiler->word[compiler->n - 1];
    const char *slash = strrchr(last, '/');
    const char *base = slash != NULL ? slash + 1 : last;
    int fds[2];
    pid_t pid;
    bool clang;

    if (strstr(base, "clang") != NULL)
        return true;
    if (strcmp(base, "gcc") == 0 || strcmp(base, "g++") == 0)
        return false;
    if (pipe2(fds, O_CLOEXEC) != 0)
        return false;
    pid = fork();
    if (pid == 0)
        exec_version(compiler, fds[1]);
    close(fds[1]);
    clang = pid > 0 && output_names_clang(fds[0]);
    close(fds[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return clang;
}

/* Splits the compiler's name into words: HEDDLE_CC may contain several ("ccache gcc"). */
static void split_compiler(struct list *to, const char *variable, const char *fallback)
{
    const char *given = getenv(variable);
    char *text = strdup(given != NULL && *given != '\0' ? given : fallback);
    char *word = text != NULL ? strtok(text, " \t") : NULL;

    for (; word != NULL; word = strtok(NULL, " \t"))
        push(to, word);
    if (to->n == 0)
        push(to, fallback);
}

/* ---- the command -------------------------------------------------------------------- */

/* gcc replaces calls of these functions with a small constant size by instructions, for which it calls no hook.
 * So they must not be builtins.  strlen and similar functions are not in the list: gcc always calls them where
 * they read memory, and programs need their value in constant expressions.  Nor are the fortified variants of
 * distributions replaced by calls. */
static const char *const gcc_calls[] = {
    "-U_FORTIFY_SOURCE",
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-mempcpy", "-fno-builtin-memset",
    "-fno-builtin-memcmp", "-fno-builtin-bcmp", "-fno-builtin-bcopy", "-fno-builtin-bzero",
    "-fno-builtin-stpcpy", "-fno-builtin-stpncpy", "-fno-builtin-strcat", "-fno-builtin-strncat",
    "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-strcmp", "-fno-builtin-strncmp",
    "-fno-builtin-sprintf", "-fno-builtin-snprintf",
};

static void add_compile_arguments(struct list *argv, const struct request *r, bool clang, bool cplusplus)
{
    char include[PATH_CAP];

    push(argv, "-fsanitize=thread");
    push(argv, "-fno-plt"); /* each access is a call; without the PLT it needs one jump less */
    push(argv, "-g");
    push(argv, "-grecord-gcc-switches"); /* records the standard: report/names/standard.h */
    if (clang && r->compiles && !r->all_reads) {
        push(argv, "-mllvm");
        push(argv, EVERY_READ);
    }
    if (!clang) {
        push(argv, "--param");
        push(argv, "tsan-distinguish-volatile=1");
        push(argv, "-Wno-tsan"); /* gcc warns that fences are not supported; Heddle supports them */
        for (size_t i = 0; i < sizeof gcc_calls / sizeof *gcc_calls; i++)
            push(argv, gcc_calls[i]);
    }
    /* -idirafter, because an earlier /usr/include breaks C++ headers */
    if (hd_path_of("include", include, sizeof include) && access(include, R_OK) == 0) {
        push(argv, "-idirafter");
        push_joined(argv, "", include);
        if (cplusplus) {
            push(argv, "-include");
            push_joined(argv, include, "/heddle/seen.h");
        }
    }
}

/* Makes gcc start its programs through `heddle assemble`, which checks the assembler's input.  This
 * is not possible with a launcher such as ccache, which does not know the option, or with clang,
 * which has no such option.  The red zone is switched off because a call is inserted into the code. */
static bool add_assembly_arguments(struct list *argv, const struct request *r)
{
    char self[PATH_CAP], wrapper[PATH_CAP + 32];
    bool point = strcmp(r->assembly, "point") == 0;

    if (argv->n != 1 || r->wrapped || !hd_path_of("bin/heddle", self, sizeof self) ||
        strchr(self, ',') != NULL || access(self, X_OK) != 0)
        return false;
    snprintf(wrapper, sizeof wrapper, "%s,assemble,%s", self, r->assembly);
    push(argv, "-wrapper");
    push_joined(argv, "", wrapper);
    if (point)
        push(argv, "-mno-red-zone");
    return true;
}

/* Makes the compiler start `heddle assemble` as its assembler, which replaces transactional instructions: the
 * compiler finds the link HD_LIB_CLANG_DIR/as first.  Needed for clang, which otherwise assembles by itself, and for a
 * gcc that a launcher starts. */
static void add_assembler(struct list *argv, bool clang)
{
    char directory[PATH_CAP];

    if (!hd_path_of(HD_LIB_CLANG_DIR, directory, sizeof directory) || access(directory, X_OK) != 0)
        return;
    if (clang)
        push(argv, "-fno-integrated-as");
    push_joined(argv, "-B", directory);
}

static bool add_link_arguments(struct list *argv, bool clang)
{
    char lib[PATH_CAP], link[PATH_CAP], runtime[PATH_CAP];

    if (!hd_path_of("lib", lib, sizeof lib) || !hd_path_of(HD_LIB_LINK_DIR, link, sizeof link) ||
        !hd_path_of(HD_LIB_RUNTIME, runtime, sizeof runtime))
        return false;
    if (access(runtime, R_OK) != 0) {
        fprintf(stderr, "heddle: the runtime %s is missing; build or install Heddle again\n",
                runtime);
        return false;
    }
    if (clang) {
        push(argv, "-fno-sanitize-link-runtime");
        push_joined(argv, "-L", lib);
        push(argv, "-Wl,--push-state,--no-as-needed,-lheddle,--pop-state");
    } else {
        push_joined(argv, "-L", link);
        push_joined(argv, "-L", lib); /* for -lheddle in the user's own arguments */
    }
    push_joined(argv, "-Wl,-rpath,", lib);
    push(argv, "-Wl,-z,now");
    push(argv, "-lpthread");
    return true;
}

static int refuse_static(const char *verb, const char *option)
{
    fprintf(stderr,
            "heddle %s: %s cannot be used: Heddle steps in between the program and the C "
            "library,\nwhich needs a dynamically linked program. Remedy: leave %s out for the "
            "build that is tested.\n",
            verb, option, option);
    return HD_EXIT_USAGE;
}

static bool is_mode(const char *assembly)
{
    static const char *const modes[] = { "warn", "point", "ignore", NULL };

    return one_of(assembly, modes);
}

/* True if the word is not passed to the compiler. -pipe is removed because with it gcc starts only the first program
 * through the wrapper. -flto is removed where it would defer the compilation to link time, and -fintegrated-as because
 * with it clang starts no assembler. */
static bool is_left_out(const struct request *r, const char *word)
{
    return strncmp(word, "--asm=", 6) == 0 || strcmp(word, "-pipe") == 0 ||
           strcmp(word, "-fintegrated-as") == 0 || strcmp(word, "-integrated-as") == 0 ||
           (r->compiles && (strcmp(word, "-flto") == 0 || strncmp(word, "-flto=", 6) == 0));
}

/* ---- checking the linked file ----------------------------------------------------------- */

static _Noreturn void become(const struct list *argv, const char *verb, const char *variable)
{
    execvp(argv->word[0], argv->word);
    fprintf(stderr, "heddle %s: cannot run the compiler '%s': %s; name another in %s\n", verb,
            argv->word[0], strerror(errno), variable);
    exit(HD_EXIT_USAGE);
}

/* Makes the linker write its map, which shows the origin of functions, to memory.  Returns the
 * descriptor, or -1 if there is none. */
static int add_map(struct list *argv, const struct request *r)
{
    char option[64];
    int fd = r->own_map ? -1 : memfd_create("heddle-map", 0);

    if (fd < 0)
        return -1;
    snprintf(option, sizeof option, "-Wl,-Map=/proc/self/fd/%d", fd);
    push_joined(argv, "", option);
    return fd;
}

/* Runs the compiler and then checks the linked file.  Returns the compiler's exit code. */
static int link_and_look(struct list *argv, const struct request *r, const char *verb, const char *variable)
{
    int status, map = add_map(argv, r);
    pid_t pid = fork();
    char path[64];

    if (pid <= 0)
        become(argv, verb, variable);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status)) {
        raise(WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", map);
    if (WEXITSTATUS(status) == 0)
        hd_linked_warn(r->output != NULL ? r->output : "a.out", map >= 0 ? path : NULL);
    return WEXITSTATUS(status);
}

static int compile(const char *verb, const char *variable, const char *fallback, char **user)
{
    struct request r = { .assembly = "warn" };
    struct list argv = { 0 };
    bool clang;

    for (char **w = user; *w != NULL; w++)
        note_word(&r, *w, false);
    if (r.is_static != NULL && !r.no_link)
        return refuse_static(verb, r.is_static);
    if (!is_mode(r.assembly)) {
        fprintf(stderr, "heddle %s: --asm=%s: one of warn, point, ignore\n", verb, r.assembly);
        return HD_EXIT_USAGE;
    }
    split_compiler(&argv, variable, fallback);
    clang = is_clang(&argv);
    if (r.has_input) {
        if (clang || !add_assembly_arguments(&argv, &r))
            add_assembler(&argv, clang);
        add_compile_arguments(&argv, &r, clang, r.cplusplus || strcmp(verb, "c++") == 0);
        if (r.gnu_tm && !clang) { /* gcc 12 crashes where a function needs a clone for transactions */
            push(&argv, "--param");
            push(&argv, "tsan-instrument-func-entry-exit=0");
        }
        if (!r.no_link && !r.partial && !add_link_arguments(&argv, clang))
            return HD_EXIT_USAGE;
    }
    for (char **w = user; *w != NULL; w++)
        if (!is_left_out(&r, *w))
            push(&argv, *w);
    if (r.has_input && !r.no_link && !r.partial && !r.silent)
        return link_and_look(&argv, &r, verb, variable);
    become(&argv, verb, variable);
}

int hd_cmd_cc(int argc, char **argv)
{
    HD_INVARIANT(argc >= 1, "no verb");
    return compile("cc", "HEDDLE_CC", "gcc", argv + 1);
}

int hd_cmd_cxx(int argc, char **argv)
{
    HD_INVARIANT(argc >= 1, "no verb");
    return compile("c++", "HEDDLE_CXX", "g++", argv + 1);
}
