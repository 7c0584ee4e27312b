/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain N [bare] - N plain accesses (a read and a write in turn), instrumented or, with
 * "bare", the same loop without instrumentation.  They are a second thread's: where there
 * is but one, Heddle sees that all executions are alike, and runs few. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { CELLS = 1024 };

static int cells[CELLS];
static volatile int sink;
static unsigned accesses;

#define LOOP(n)                                         \
    for (unsigned i = 0; i < (n) / 2; i++) {            \
        int *cell = &cells[i * 7 % CELLS];              \
                                                        \
        *cell = *cell + 1;                              \
        __asm__ volatile("" : : "r"(cell) : "memory");  \
    }

static __attribute__((noinline)) void *instrumented(void *arg)
{
    unsigned n = accesses;

    LOOP(n)
    return arg;
}

static __attribute__((noinline, no_sanitize("thread"))) void *bare(void *arg)
{
    unsigned n = accesses;

    LOOP(n)
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    accesses = argc > 1 ? (unsigned)atoi(argv[1]) : 1000000;
    pthread_create(&thread, NULL, argc > 2 ? bare : instrumented, NULL);
    pthread_join(thread, NULL);
    sink = cells[0];
    return 0;
}
