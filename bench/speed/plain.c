/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain.c - a million plain accesses (a read and a write in turn), instrumented
 * or, with the argument "bare", the same loop without instrumentation. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { ACCESSES = 1000000, CELLS = 1024 };

static int cells[CELLS];
static volatile int sink;

#define LOOP                                            \
    for (unsigned i = 0; i < ACCESSES / 2; i++) {       \
        int *cell = &cells[i * 7 % CELLS];              \
                                                        \
        *cell = *cell + 1;                              \
        __asm__ volatile("" : : "r"(cell) : "memory");  \
    }

static __attribute__((noinline)) void instrumented(void)
{
    LOOP
}

static __attribute__((noinline, no_sanitize("thread"))) void bare(void)
{
    LOOP
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "bare") == 0)
        bare();
    else
        instrumented();
    sink = cells[0];
    return 0;
}
