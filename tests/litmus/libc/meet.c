/* SPDX-License-Identifier: BSD-2-Clause
 *
 * meet CASE [ordered] - two threads meet in something that libc or the kernel keeps for
 * both: each does one call, and the result depends on whose came first.
 *
 * Claim (an assertion): the first thread's call came first.  False, unless ordered: then
 * the second thread waits until the first has done its call. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <fcntl.h>
#include <locale.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static long got[2];
static int fd;
static FILE *stream;

/* ---- one case: what there is before, what thread me does, was the first one first? ---- */

static bool less(void)
{
    return got[0] < got[1];
}

static bool second_is_2(void)
{
    return got[1] == 2;
}

static int file_of(const char *text)
{
    int made = memfd_create("file", 0);

    assert(made >= 0 && write(made, text, strlen(text)) == (ssize_t)strlen(text));
    assert(lseek(made, 0, SEEK_SET) == 0);
    return made;
}

static void nothing(void)
{
}

static void some_file(void)
{
    fd = file_of("ab");
}

static void some_stream(void)
{
    stream = fdopen(file_of("1\n2\n"), "r+");
}

static void random_act(int me)
{
    got[me] = random();
}

static void random_before(void)
{
    do
        srandom((unsigned)got[0]++);
    while (random() >= random());
    srandom((unsigned)--got[0]);
}

static void rand_act(int me)
{
    got[me] = rand();
}

static void drand48_act(int me)
{
    got[me] = lrand48();
}

static void drand48_before(void)
{
    do
        srand48(got[0]++);
    while (lrand48() >= lrand48());
    srand48(--got[0]);
}

static void env_act(int me)
{
    setenv("HEDDLE_MEET", me == 0 ? "1" : "2", 1);
}

static bool env_good(void)
{
    return strcmp(getenv("HEDDLE_MEET"), "2") == 0;
}

static void getenv_act(int me)
{
    if (me == 0)
        setenv("HEDDLE_MEET", "1", 1);
    else
        got[1] = getenv("HEDDLE_MEET") != NULL ? 2 : 0;
}

static void cwd_act(int me)
{
    char where[4096];

    if (me == 0)
        assert(chdir("/") == 0);
    else
        got[1] = getcwd(where, sizeof where) != NULL && strcmp(where, "/") == 0 ? 2 : 0;
}

/* By a relative name. */
static void relative_act(int me)
{
    if (me == 0)
        assert(chdir("/") == 0);
    else
        got[1] = access("proc/self", F_OK) == 0 ? 2 : 0;
}

static void umask_act(int me)
{
    got[me] = (long)umask(me == 0 ? 022 : 077);
}

static void umask_before(void)
{
    umask(0);
}

static void key_act(int me)
{
    pthread_key_t key;

    assert(pthread_key_create(&key, NULL) == 0);
    got[me] = (long)key;
}

static void strtok_before(void)
{
    static char text[] = "1 2 3";

    strtok(text, " ");
}

static void strtok_act(int me)
{
    got[me] = strtok(NULL, " ")[0];
}

static void signal_act(int me)
{
    got[me] = signal(SIGUSR1, me == 0 ? SIG_IGN : SIG_DFL) == SIG_IGN ? 2 : 0;
}

static void limit_act(int me)
{
    struct rlimit limit;

    assert(getrlimit(RLIMIT_CORE, &limit) == 0);
    if (me == 0) {
        limit.rlim_cur = 0;
        assert(setrlimit(RLIMIT_CORE, &limit) == 0);
    }
    got[me] = limit.rlim_cur == 0 ? 2 : 0;
}

static void limit_before(void)
{
    struct rlimit limit;

    assert(getrlimit(RLIMIT_CORE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    assert(setrlimit(RLIMIT_CORE, &limit) == 0);
}

static void open_act(int me)
{
    got[me] = open("/dev/null", O_RDONLY);
}

static void fopen_act(int me)
{
    got[me] = fileno(fopen("/dev/null", "r"));
}

static void dup_act(int me)
{
    got[me] = me == 0 ? dup(fd) : fcntl(fd, F_DUPFD, 3);
}

static void pipe_act(int me)
{
    int ends[2];

    assert(pipe(ends) == 0);
    got[me] = ends[0];
}

/* The lowest number is free only if it was closed before. */
static void close_act(int me)
{
    if (me == 0)
        close(fd);
    else
        got[1] = open("/dev/null", O_RDONLY) == fd ? 2 : 0;
}

static void read_act(int me)
{
    char c = 0;

    assert(read(fd, &c, 1) == 1);
    got[me] = c;
}

/* Through a copy of the descriptor. */
static void copy_act(int me)
{
    static int copies[2];
    char c = 0;

    copies[me] = me == 0 ? fd : fd + 1;
    assert(read(copies[me], &c, 1) == 1);
    got[me] = c;
}

static void copy_before(void)
{
    some_file();
    assert(dup(fd) == fd + 1);
}

static void seek_act(int me)
{
    char c;

    if (me == 0)
        assert(lseek(fd, 1, SEEK_SET) == 1);
    else
        got[1] = read(fd, &c, 1) == 1 && c == 'b' ? 2 : 0;
}

static void pwrite_act(int me)
{
    char c;

    if (me == 0)
        assert(pwrite(fd, "b", 1, 0) == 1);
    else
        got[1] = pread(fd, &c, 1, 0) == 1 && c == 'b' ? 2 : 0;
}

static void fstat_act(int me)
{
    struct stat s;

    if (me == 0)
        assert(write(fd, "abc", 3) == 3);
    else
        got[1] = fstat(fd, &s) == 0 && s.st_size == 3 ? 2 : 0;
}

static void fgets_act(int me)
{
    char line[8];

    assert(fgets(line, sizeof line, stream) != NULL);
    got[me] = line[0];
}

static void getc_act(int me)
{
    got[me] = me == 0 ? getc(stream) : ftell(stream) + 1;
}

/* One through the stream, the other through its descriptor. */
static void mixed_act(int me)
{
    char line[8];

    if (me == 0)
        fgets(line, sizeof line, stream);
    else
        got[1] = read(fileno(stream), line, 1) == 1 ? 0 : 2;
}

static char *text;
static size_t text_size;

static void memstream_before(void)
{
    stream = open_memstream(&text, &text_size);
}

static void memstream_act(int me)
{
    fprintf(stream, "%d", me + 1);
}

static bool memstream_good(void)
{
    fclose(stream);
    return strcmp(text, "12") == 0;
}

/* Nothing may be left for the next execution. */
static void mkdir_act(int me)
{
    got[me] = mkdir("heddle-meet", 0700) == 0 ? 0 : 2;
}

static bool mkdir_good(void)
{
    rmdir("heddle-meet");
    return got[1] == 2;
}

static bool first_won;

static void at_exit_1(void)
{
    first_won = true;
}

static void at_exit_2(void)
{
    assert(!first_won); /* the last one registered runs first */
}

static void atexit_act(int me)
{
    atexit(me == 0 ? at_exit_1 : at_exit_2);
}

static bool always(void)
{
    return true;
}

static void *first_page, *second_page;

static void alias_before(void)
{
    fd = file_of("ab");
    assert(ftruncate(fd, 4096) == 0);
    first_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    second_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void alias_act(int me)
{
    if (me == 0)
        visible_write(*(int *)first_page, 2);
    else
        got[1] = visible_read(*(int *)second_page);
}

/* Which thread prints first does not matter. */
static void print_act(int me)
{
    printf("%d\n", me);
    fputs("and once more\n", stderr);
    got[me] = 2;
}

static const struct {
    const char *name;
    void (*before)(void);
    void (*act)(int me);
    bool (*good)(void);
} cases[] = {
    { "random", random_before, random_act, less },
    { "rand", random_before, rand_act, less },
    { "drand48", drand48_before, drand48_act, less },
    { "setenv", nothing, env_act, env_good },
    { "getenv", nothing, getenv_act, second_is_2 },
    { "chdir", nothing, cwd_act, second_is_2 },
    { "relative", nothing, relative_act, second_is_2 },
    { "umask", umask_before, umask_act, less },
    { "key", nothing, key_act, less },
    { "strtok", strtok_before, strtok_act, less },
    { "signal", nothing, signal_act, second_is_2 },
    { "limit", limit_before, limit_act, second_is_2 },
    { "open", nothing, open_act, less },
    { "fopen", nothing, fopen_act, less },
    { "dup", some_file, dup_act, less },
    { "pipe", nothing, pipe_act, less },
    { "close", some_file, close_act, second_is_2 },
    { "read", some_file, read_act, less },
    { "copy", copy_before, copy_act, less },
    { "seek", some_file, seek_act, second_is_2 },
    { "pwrite", some_file, pwrite_act, second_is_2 },
    { "fstat", some_file, fstat_act, second_is_2 },
    { "fgets", some_stream, fgets_act, less },
    { "ftell", some_stream, getc_act, second_is_2 },
    { "mixed", some_stream, mixed_act, second_is_2 },
    { "memstream", memstream_before, memstream_act, memstream_good },
    { "mkdir", nothing, mkdir_act, mkdir_good },
    { "atexit", nothing, atexit_act, always },
    { "alias", alias_before, alias_act, second_is_2 },
    { "print", nothing, print_act, second_is_2 },
};

/* ---- two threads ------------------------------------------------------------------------ */

static unsigned chosen;
static bool ordered;
static sem_t done;

static void *first(void *arg)
{
    cases[chosen].act(0);
    if (ordered)
        sem_post(&done);
    return arg;
}

static void *second(void *arg)
{
    if (ordered)
        sem_wait(&done);
    cases[chosen].act(1);
    return arg;
}

int main(int argc, char **argv)
{
    while (argc > 1 && strcmp(cases[chosen].name, argv[1]) != 0)
        if (++chosen == sizeof cases / sizeof *cases)
            return 64;
    ordered = argc > 2;
    sem_init(&done, 0, 0);
    cases[chosen].before();
    pthread_t a = spawn(first), b = spawn(second);

    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cases[chosen].good());
    return 0;
}
