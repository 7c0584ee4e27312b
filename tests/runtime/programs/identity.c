/* SPDX-License-Identifier: BSD-2-Clause
 *
 * identity.c - what differs from process to process, shown in the trace: a
 * program that depends on it cannot be replayed unless it is made equal.  The
 * argument says what to look at. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

static uintptr_t word_from(const char *path)
{
    uintptr_t word = 0;
    int fd = open(path, O_RDONLY);

    assert(fd >= 0 && read(fd, &word, sizeof word) == sizeof word);
    close(fd);
    return word;
}

static uintptr_t word_of_stream(const char *path)
{
    uintptr_t word = 0;
    FILE *file = fopen(path, "r");

    assert(file != NULL && fread(&word, sizeof word, 1, file) == 1);
    fclose(file);
    return word;
}

static uintptr_t clock_by_syscall(void)
{
    struct timespec now;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uintptr_t)now.tv_nsec;
}

static uintptr_t random_bytes(void)
{
    uintptr_t word = 0;

    assert(getrandom(&word, sizeof word, 0) == sizeof word);
    return word;
}

static uintptr_t auxiliary_random(void)
{
    uintptr_t word;

    memcpy(&word, (void *)getauxval(AT_RANDOM), sizeof word);
    return word;
}

/* The stack protector's value lies about on every stack. */
static uintptr_t canary(void)
{
    uintptr_t word;

    __asm__("movq %%fs:0x28, %0" : "=r"(word));
    return word;
}

static uintptr_t look_at(const char *what, char **argv)
{
    if (strcmp(what, "pid") == 0)
        return (uintptr_t)getpid();
    if (strcmp(what, "tid") == 0)
        return (uintptr_t)gettid();
    if (strcmp(what, "ppid") == 0)
        return (uintptr_t)getppid();
    if (strcmp(what, "urandom") == 0)
        return word_from("/dev/urandom");
    if (strcmp(what, "urandom-stream") == 0)
        return word_of_stream("/dev/urandom");
    if (strcmp(what, "getrandom") == 0)
        return random_bytes();
    if (strcmp(what, "arc4random") == 0)
        return arc4random();
    if (strcmp(what, "auxiliary-random") == 0)
        return auxiliary_random();
    if (strcmp(what, "canary") == 0)
        return canary();
    if (strcmp(what, "time") == 0)
        return (uintptr_t)(time(NULL) + clock());
    if (strcmp(what, "clock-syscall") == 0)
        return clock_by_syscall();
    if (strcmp(what, "heap-address") == 0)
        return (uintptr_t)malloc(10) >> 4;
    if (strcmp(what, "stack-address") == 0)
        return (uintptr_t)__builtin_frame_address(0) >> 4;
    if (strcmp(what, "argument-address") == 0)
        return (uintptr_t)argv >> 4;
    if (strcmp(what, "libc-address") == 0)
        return (uintptr_t)printf >> 4;
    if (strcmp(what, "self") == 0)
        return (uintptr_t)pthread_self() >> 6;
    abort();
}

static void *visible(void *arg)
{
    uintptr_t word = (uintptr_t)arg;

    for (int digit = 0; digit < 16; digit += 2)
        echo(word >> digit * 4 ^ word >> (digit + 1) * 4);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    assert(argc == 2);
    pthread_create(&thread, NULL, visible, (void *)look_at(argv[1], argv));
    pthread_join(thread, NULL);
    return 0;
}
