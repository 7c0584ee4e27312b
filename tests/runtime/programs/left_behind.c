/* SPDX-License-Identifier: BSD-2-Clause
 *
 * left_behind.c - changes its process in ways that no interposer sees, and fails when it finds the
 * change of an execution before.  Call: left_behind gs | memory | nothing | chance | position |
 * stack | locale | action */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long drawn;
static char page[3 * 4096]; /* the middle is not written */

static void by_instruction(void)
{
    uint64_t base;

    __asm__ volatile("rdgsbase %0" : "=r"(base));
    assert(base == 0);
    __asm__ volatile("wrgsbase %0" : : "r"(UINT64_C(0x1000)));
}

/* The kernel writes there, whatever the protection of the page is. */
static void by_descriptor(void)
{
    int fd = open("/proc/self/mem", O_RDWR);

    assert(page[6000] == 0);
    assert(fd >= 0 && pwrite(fd, "x", 1, (off_t)(uintptr_t)&page[6000]) == 1);
    close(fd);
}

/* A file that the kernel makes up: another number in each execution. */
static void by_chance(void)
{
    char text[64] = "";
    int fd = open("/proc/sys/kernel/random/uuid", O_RDONLY);

    assert(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    close(fd);
    __atomic_store_n(&drawn, strtoul(text, NULL, 16) | 1, __ATOMIC_SEQ_CST);
}

/* Of a file that the parent process has opened. */
static void by_position(void)
{
    char c = 0;

    assert(read(7, &c, 1) == 1);
    assert(c == 'a');
}

/* What is left on the stack below by the first call of a function of libc, which has to be found first. */
static __attribute__((noinline)) void look_below(void)
{
    volatile unsigned char left[16384];

    pretend_written(left);
    __atomic_store_n(&drawn, digest(left, sizeof left) | 1, __ATOMIC_SEQ_CST);
}

static void by_stack(void)
{
    struct sysinfo first;
    struct utsname second;

    sysinfo(&first);
    uname(&second);
    getpriority(PRIO_PROCESS, 0);
    look_below();
}

static void *take_turns(void *arg)
{
    __atomic_load_n(&drawn, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

/* libc maps files. */
static void by_locale(void)
{
    wchar_t wide[4];

    assert(MB_CUR_MAX == 1);
    assert(setlocale(LC_ALL, "") != NULL && mbstowcs(wide, "\xc3\xa4", 4) == 1);
}

static void ignore(int number)
{
    (void)number;
}

/* From places further and further down on the stack: one of them is the first in its page that
 * anybody writes to in this execution, and it is the kernel that writes. */
static __attribute__((noinline)) void by_action(int number)
{
    struct sigaction before, handler = { .sa_handler = ignore };
    volatile char room[100];

    __asm__ volatile("" : : "r"(room) : "memory");
    assert(sigaction(number, &handler, &before) == 0 && before.sa_handler == SIG_DFL);
    if (number < SIGRTMAX)
        by_action(number + 1);
    __asm__ volatile("" : : "r"(room) : "memory");
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "nothing";
    pthread_t thread;

    if (strcmp(way, "gs") == 0)
        by_instruction();
    else if (strcmp(way, "memory") == 0)
        by_descriptor();
    else if (strcmp(way, "chance") == 0)
        by_chance();
    else if (strcmp(way, "stack") == 0)
        by_stack();
    else if (strcmp(way, "position") == 0)
        by_position();
    else if (strcmp(way, "locale") == 0)
        by_locale();
    else if (strcmp(way, "action") == 0)
        by_action(SIGRTMIN);
    pthread_create(&thread, NULL, take_turns, NULL);
    take_turns(NULL);
    pthread_join(thread, NULL);
    return 0;
}
