/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libc SEED THREADS CALLS - threads that make random calls on what libc and the kernel
 * keep for all of them.  The exit code is a digest of everything that the calls returned
 * (outcomes.h). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outcomes.h"

enum { KINDS = 26, NEIGHBOURS = 7 };

static int last[MAX_THREADS] = { -1, -1, -1, -1 }; /* descriptor that each has opened */
static int file, copy, opened_again;
static FILE *stream, *written;
static char *text;
static size_t text_size;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int atom;

static long letter(ssize_t n, char c)
{
    return n == 1 ? c : -1;
}

static long directory(void)
{
    char where[4096];

    return getcwd(where, sizeof where) != NULL ? (long)strlen(where) : -1;
}

static long size_of(int fd)
{
    struct stat s;

    return fstat(fd, &s) == 0 ? (long)s.st_size : -1;
}

static long size_at(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

static long close_last(unsigned me)
{
    int fd = last[me];

    last[me] = -1;
    return fd >= 0 ? close(fd) : 1;
}

static long key(void)
{
    pthread_key_t k;

    return pthread_key_create(&k, NULL) == 0 ? (long)k : -1;
}

static long call(unsigned me, unsigned kind)
{
    char name[] = { 'A', (char)('0' + me), '\0' }, c = 0;
    const char *value;

    switch (kind) {
    case 0: return random();
    case 1: return rand();
    case 2: return lrand48();
    case 3: return setenv("HEDDLE_MIX", name, 1);
    case 4: value = getenv("HEDDLE_MIX"); return value != NULL ? value[1] : -1;
    case 5: return last[me] = open("/dev/null", O_RDONLY);
    case 6: return close_last(me);
    case 7: return last[me] = dup(file);
    case 8: return letter(read(file, &c, 1), c);
    case 9: return letter(read(copy, &c, 1), c);
    case 10: return letter(read(opened_again, &c, 1), c);
    case 11: return lseek(file, 1, SEEK_CUR);
    case 12: return letter(pread(file, &c, 1, 2), c);
    case 13: return pwrite(copy, name + 1, 1, 2);
    case 14: return write(opened_again, name, 2);
    case 15: return size_of(file);
    case 16: return getc(stream);
    case 17: return ftell(stream);
    case 18: return fputs(name, written);
    case 19: return fgets(name, 2, stream) != NULL ? name[0] : -1;
    case 20: return (long)umask((mode_t)me);
    case 21: return key();
    case 22: return chdir(me % 2 == 0 ? "/" : "/proc") + directory();
    case 23: return size_at("/proc/self/cwd/.") != 0 ? 1 : 2;
    case 24: pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return printf("%s\n", name);
    default: return atomic_fetch_add(&atom, 1);
    }
}

static void prepare(void)
{
    char path[64];

    file = memfd_create("file", 0);
    if (write(file, "abcdefgh", 8) != 8 || lseek(file, 0, SEEK_SET) != 0)
        exit(99);
    copy = dup(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    opened_again = open(path, O_RDWR);
    stream = fdopen(dup(file), "r");
    setvbuf(stream, NULL, _IONBF, 0);
    written = open_memstream(&text, &text_size);
}

static uint32_t rest(uint32_t sum)
{
    fclose(written);
    for (size_t i = 0; i < text_size; i++)
        sum = (sum ^ (unsigned char)text[i]) * 0x9e3779b1u;
    return sum;
}

int main(int argc, char **argv)
{
    prepare();
    return outcome(argc, argv, call, KINDS, NEIGHBOURS, rest);
}
