/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pintos.c - see pintos.h. */
#include "kernel/drive/pintos.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"

#define SCREEN "vga_putc (c);"
#define CHANGES "2" /* increase it if the changes to the copy, or the flags, change: kernels are then built again */

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...)
{
    va_list list;

    fputs("heddle: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return false;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static bool has(const char *dir, const char *name)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path && access(path, R_OK) == 0;
}

/* The directory may be the one with `src`, `src`, or one in it: `threads` is where students work. */
static bool find_src(struct hd_pintos *p, const char *dir)
{
    static const char *const ways[] = { "", "/src", "/..", "/../..", "/pintos/src" };
    char path[PATH_MAX];

    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (snprintf(path, sizeof path, "%s%s", dir, ways[i]) >= (int)sizeof path)
            continue;
        if (has(path, "include/threads/thread.h"))
            return complain("%s is the 64-bit Pintos of KAIST; only the 32-bit Pintos of Stanford can be tested", dir);
        if (has(path, "threads/thread.c") && has(path, "Make.config") && realpath(path, p->src) != NULL)
            return true;
    }
    return complain("%s is no Pintos tree: neither it, nor its 'src', nor a directory above it has threads/thread.c and "
                    "Make.config", dir);
}

/* nftw takes no argument for its callback. */
static struct {
    const char *from, *to;
    uint64_t hash;
    bool good;
} walk;

static bool is_source(const char *path)
{
    const char *in = path + strlen(walk.from);

    return strstr(in, "/build/") == NULL && strstr(in, "/.") == NULL && strstr(in, "/CVS/") == NULL;
}

static int hash_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)at;
    if (type != FTW_F || !is_source(path) || st->st_size == 0)
        return 0;
    char *text = hd_text_of_file(path);
    uint64_t one = hd_hash_bytes(0, path + strlen(walk.from), strlen(path + strlen(walk.from)));

    walk.good &= text != NULL;
    walk.hash += text == NULL ? 0 : hd_hash_bytes(one, text, strlen(text)); /* the sum does not depend on the order of the files */
    free(text);
    return 0;
}

static bool write_text(const char *path, const char *const *parts)
{
    FILE *f = fopen(path, "we");

    for (unsigned i = 0; f != NULL && parts[i] != NULL; i++)
        fputs(parts[i], f);
    return f != NULL && fclose(f) == 0;
}

static bool copy_file(const char *from, const char *to, mode_t mode)
{
    char chunk[16384];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0600);
    ssize_t n = -1;

    while (in != -1 && out != -1 && (n = read(in, chunk, sizeof chunk)) > 0)
        if (write(out, chunk, (size_t)n) != n)
            n = -1;
    if (in != -1)
        close(in);
    return out != -1 && close(out) == 0 && n == 0;
}

static int copy_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    char to[PATH_MAX];

    (void)at;
    if (strcmp(path, walk.from) != 0 && !is_source(path))
        return 0;
    if (snprintf(to, sizeof to, "%s%s", walk.to, path + strlen(walk.from)) >= (int)sizeof to)
        walk.good = false;
    else if (type == FTW_D)
        walk.good &= strcmp(to + strlen(to) - 6, "/build") == 0 || mkdir(to, 0700) == 0;
    else if (type == FTW_F)
        walk.good &= copy_file(path, to, st->st_mode & 0777);
    return walk.good ? 0 : 1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    remove(path);
    return 0;
}

/* ---- what is changed in the copy ---------------------------------------------------------- */

/* A preempted thread must be able to lose the processor at each tick. */
static bool shorten_slices(const char *copy)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.4000s/threads/thread.c", copy);
    char *text = hd_text_of_file(path), *at = text == NULL ? NULL : strstr(text, "#define TIME_SLICE ");
    bool good = text != NULL;

    if (at != NULL) {
        char *digit = at + strcspn(at, "0123456789\n"), *rest = digit + strspn(digit, "0123456789");

        *digit = '\0';
        good = digit != rest && unlink(path) == 0 && write_text(path, (const char *const[]){ text, "1", rest, NULL });
    }
    free(text);
    return good;
}

static const char before[] =
    "#define palloc_get_page heddle_get_page\n#define palloc_get_multiple heddle_get_multiple\n"
    "#define palloc_free_page heddle_free_page\n#define palloc_free_multiple heddle_free_multiple\n"
    "#line 1 \"palloc.c\"\n";

/* A page counts as free from before another thread can get it, and as in use before it is given to anybody. */
static const char after[] =
    "\n#undef palloc_get_page\n#undef palloc_get_multiple\n#undef palloc_free_page\n#undef palloc_free_multiple\n"
    "#include <string.h>\n#include \"threads/interrupt.h\"\n"
    "void *palloc_get_page (enum palloc_flags);\nvoid *palloc_get_multiple (enum palloc_flags, size_t);\n"
    "void palloc_free_page (void *);\nvoid palloc_free_multiple (void *, size_t);\n"
    "void heddle_given (void *);\nvoid heddle_freed (void *);\n"
    "__attribute__ ((noinline)) void heddle_given (void *page) { __asm__ volatile (\"\" : : \"r\" (page) : \"memory\"); }\n"
    "__attribute__ ((noinline)) void heddle_freed (void *page) { __asm__ volatile (\"\" : : \"r\" (page) : \"memory\"); }\n"
    "void *palloc_get_multiple (enum palloc_flags flags, size_t n)\n{\n"
    "  char *pages = heddle_get_multiple (flags & ~PAL_ZERO, n);\n  size_t i;\n"
    "  for (i = 0; pages != NULL && i < n; i++)\n    heddle_given (pages + 4096 * i);\n"
    "  if (pages != NULL && (flags & PAL_ZERO))\n    memset (pages, 0, 4096 * n);\n  return pages;\n}\n"
    "void *palloc_get_page (enum palloc_flags flags) { return palloc_get_multiple (flags, 1); }\n"
    "void palloc_free_multiple (void *pages, size_t n)\n{\n  enum intr_level old = intr_disable ();\n  size_t i;\n"
    "  heddle_free_multiple (pages, n);\n  for (i = 0; pages != NULL && i < n; i++)\n"
    "    heddle_freed ((char *) pages + 4096 * i);\n  intr_set_level (old);\n}\n"
    "void palloc_free_page (void *page) { palloc_free_multiple (page, 1); }\n";

static bool announce_pages(const char *copy)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.4000s/threads/palloc.c", copy);
    char *text = hd_text_of_file(path);
    bool known = text != NULL && strstr(text, "palloc_get_multiple") != NULL && strstr(text, "palloc_free_multiple") != NULL;
    bool good = text != NULL &&
                (!known || (unlink(path) == 0 && write_text(path, (const char *const[]){ before, text, after, NULL })));

    free(text);
    return good;
}

/* What is printed goes to the serial line only: scrolling a screen takes most of a test's instructions. */
static bool leave_out_screen(const char *copy)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.4000s/lib/kernel/console.c", copy);
    char *text = hd_text_of_file(path), *at = text == NULL ? NULL : strstr(text, SCREEN);
    bool good = text != NULL;

    if (at != NULL) {
        *at = '\0';
        good = unlink(path) == 0 && write_text(path, (const char *const[]){ text, ";", at + strlen(SCREEN), NULL });
    }
    free(text);
    return good;
}

/* ---- the build ------------------------------------------------------------------------------ */

static bool run_make(const char *copy, const char *log)
{
    char threads[PATH_MAX];
    int status = 0;

    snprintf(threads, sizeof threads, "%.4000s/threads", copy);
    pid_t pid = fork();

    if (pid == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

        dup2(out, 1);
        dup2(out, 2);
        unsetenv("MAKEFLAGS");
        unsetenv("MFLAGS");
        unsetenv("MAKELEVEL");
        execlp("make", "make", "-C", threads, "CC=gcc -m32", "LD=ld -melf_i386 -z noseparate-code --build-id=none",
               "OBJCOPY=objcopy", "ASFLAGS=", "LDFLAGS=", "WARNINGS=-w",
               "CFLAGS=-g -O1 -std=gnu99 -march=i686 -msoft-float -mno-sse -mno-mmx -fno-stack-protector -fno-pic -fno-pie "
               "-fcf-protection=none -fno-asynchronous-unwind-tables -fno-optimize-sibling-calls -fno-ipa-sra "
               "-fno-strict-aliasing -fno-builtin", "build/kernel.bin", (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Prints the end of the log. */
static bool say_why(const char *log)
{
    char *text = hd_text_of_file(log);
    size_t n = text == NULL ? 0 : strlen(text), from = n > 1500 ? n - 1500 : 0;

    complain("the tree cannot be built; 'gcc -m32', 'make' and binutils are needed. The build says:\n%s",
             text == NULL ? "(nothing)" : text + from);
    free(text);
    return false;
}

static bool build_copy(struct hd_pintos *p, const char *work)
{
    char copy[PATH_MAX], log[PATH_MAX], made[PATH_MAX];

    snprintf(copy, sizeof copy, "%.4000s/src", work);
    snprintf(log, sizeof log, "%.4000s/log", work);
    snprintf(made, sizeof made, "%.4000s/threads/build/kernel.o", copy);
    walk.from = p->src;
    walk.to = copy;
    walk.good = true;
    nftw(p->src, copy_one, 16, FTW_PHYS);
    if (!walk.good || !shorten_slices(copy) || !announce_pages(copy) || !leave_out_screen(copy))
        return complain("the tree cannot be copied to %s: %s", work, strerror(errno));
    if (!run_make(copy, log))
        return say_why(log);
    if (rename(made, p->kernel) != 0)
        return complain("the build has made no kernel.o");
    return true;
}

bool hd_pintos_build(struct hd_pintos *p, const char *dir, const char *out_dir)
{
    char work[PATH_MAX], list[PATH_MAX + 32];

    *p = (struct hd_pintos){ .tests = NULL };
    if (!find_src(p, dir))
        return false;
    snprintf(list, sizeof list, "%s/tests/threads/tests.c", p->src);
    p->tests = hd_text_of_file(list);
    if (p->tests == NULL)
        return complain("%s: there are no tests/threads/tests.c", p->src);
    mkdir(out_dir, 0777);
    walk.from = p->src;
    walk.hash = hd_hash_bytes(0, CHANGES, sizeof CHANGES);
    walk.good = true;
    nftw(p->src, hash_one, 16, FTW_PHYS);
    snprintf(p->kernel, sizeof p->kernel, "%.4000s/pintos-%016llx.elf", out_dir, (unsigned long long)walk.hash);
    if (walk.good && access(p->kernel, R_OK) == 0)
        return true;
    snprintf(work, sizeof work, "%.4000s/pintos-XXXXXX", out_dir);
    if (!walk.good || mkdtemp(work) == NULL)
        return complain("%s cannot be read, or %s not be written: %s", p->src, out_dir, strerror(errno));
    bool good = build_copy(p, work);

    nftw(work, remove_one, 16, FTW_PHYS | FTW_DEPTH);
    return good;
}

void hd_pintos_free(struct hd_pintos *p)
{
    free(p->tests);
}

/* ---- tests ------------------------------------------------------------------------------------ */

static bool is_listed(const struct hd_pintos *p, const char *test)
{
    char quoted[128];

    return snprintf(quoted, sizeof quoted, "\"%s\"", test) < (int)sizeof quoted && strstr(p->tests, quoted) != NULL;
}

bool hd_pintos_has_test(const struct hd_pintos *p, const char *test)
{
    char program[PATH_MAX];

    if (strncmp(test, "mlfqs-", 6) == 0)
        return complain("%s takes minutes of the kernel's time: one execution would be too long to explore", test);
    if (is_listed(p, test))
        return true;
    snprintf(program, sizeof program, "tests/userprog/%.200s.c", test);
    if (has(p->src, program))
        return complain("%s is a test of user programs, which need a disk: only tests of the project 'threads' can be run",
                        test);
    return complain("%s/tests/threads/tests.c has no test '%s'", p->src, test);
}

const char *hd_pintos_test(const struct hd_pintos *p, unsigned nth)
{
    static const char *const names[] = { "alarm-simultaneous", "priority-sema", "priority-condvar",
                                         "priority-donate-one", "priority-donate-multiple" };

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (is_listed(p, names[i]) && nth-- == 0)
            return names[i];
    return NULL;
}
