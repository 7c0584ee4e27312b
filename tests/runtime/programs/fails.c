/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fails.c - fails in those executions in which the second thread is through
 * before the first has begun.  The argument says how. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/heddle.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static int done;
static int table[16];
static int *volatile nowhere;
static volatile int zero;

/* Not memset, which is checked. */
static void fill(void *at, size_t n)
{
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(0xa5) : "memory");
}

/* Overwrite whatever can be reached: own data and the heap. */
static void corrupt(void)
{
    char *block = malloc(64);

    fill(block - 32, 4096);
    fill(table, 4096 - ((uintptr_t)table & 4095));
    fill((void *)((uintptr_t)table & ~(uintptr_t)4095), (uintptr_t)table & 4095);
    *nowhere = 1;
}

static void fail_now(void)
{
    printf("about to fail: %s\n", how);
    if (strcmp(how, "assert") == 0)
        assert(!"the wrong order");
    if (strcmp(how, "segv") == 0)
        *nowhere = 1;
    if (strcmp(how, "fpe") == 0)
        table[0] = 1000 / zero;
    if (strcmp(how, "ill") == 0)
        __builtin_trap();
    if (strcmp(how, "call") == 0)
        ((void (*)(void))(uintptr_t)zero)();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "quit") == 0)
        _exit(3);
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "raise") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "unlock") == 0)
        pthread_mutex_unlock(&mutex); /* the worker does that again */
    if (strcmp(how, "check") == 0)
        heddle_choose(70000);
    if (strcmp(how, "corrupt") == 0)
        corrupt();
    if (strcmp(how, "hang") == 0)
        for (;;)
            __asm__ volatile("pause");
}

static void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        table[id]++;
        if (id == 1 && i == 0 && table[2] == 2)
            fail_now();
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[2];

    how = argc > 1 ? argv[1] : "";
    assert(done == 0 && table[1] == 0 && table[2] == 0);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    done = 1;
    return 0;
}
