/* SPDX-License-Identifier: BSD-2-Clause
 *
 * structure.h - a concurrent structure, two or three threads with a script each, and the
 * sequential twin that tells whether the results fit.  For C and C++.
 *
 *     PROGRAM STRUCTURE SCRIPT SCRIPT [SCRIPT] [ROUNDS]
 *
 * A script has one letter for each operation; what letters there are is the structure's
 * business.  The argument of an operation is a number that no other operation has.  More than
 * one round is for a native run, whose speed is measured. */
#ifndef HEDDLE_REAL_STRUCTURE_H
#define HEDDLE_REAL_STRUCTURE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "linear.h"

struct structure {
    const char *name;
    lin_twin *twin;
    struct lin_state first; /* of the twin */
    void (*set_up)(void);
    long (*run)(int thread, char code, long arg);
    void (*end_of)(int thread); /* or NULL: the thread has done its script */
    void (*tear_down)(void);    /* or NULL */
};

static const struct structure *under_test;
static const char *script[LIN_THREADS];

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg;

    for (int i = 0; script[t][i] != '\0'; i++) {
        long value = 10 * (t + 1) + i;

        lin_call(t, script[t][i], value);
        lin_return(t, under_test->run(t, script[t][i], value));
    }
    if (under_test->end_of != NULL)
        under_test->end_of(t);
    return NULL;
}

static void run_scripts(void)
{
    pthread_t thread[LIN_THREADS];

    for (int t = 0; t < lin_threads; t++) {
        lin_count[t] = 0;
        atomic_store_explicit(&lin_returned[t], 0, memory_order_relaxed);
    }
    under_test->set_up();
    for (intptr_t t = 0; t < lin_threads; t++)
        pthread_create(&thread[t], NULL, work, (void *)t);
    for (int t = 0; t < lin_threads; t++)
        pthread_join(thread[t], NULL);
    if (under_test->tear_down != NULL)
        under_test->tear_down();
}

static int usage(const char *program, const struct structure *all, int n)
{
    fprintf(stderr, "usage: %s STRUCTURE SCRIPT [SCRIPT [SCRIPT]] [ROUNDS]\nSTRUCTURE is", program);
    for (int i = 0; i < n; i++)
        fprintf(stderr, " %s", all[i].name);
    fprintf(stderr, "\n");
    return 1;
}

static int test_main(const struct structure *all, int n, int argc, char **argv)
{
    int rounds = argc > 3 ? atoi(argv[argc - 1]) : 0;

    for (int i = 0; i < n && argc > 1; i++)
        if (strcmp(all[i].name, argv[1]) == 0)
            under_test = &all[i];
    lin_threads = argc - 2 - (rounds > 0);
    if (under_test == NULL || lin_threads < 1 || lin_threads > LIN_THREADS)
        return usage(argv[0], all, n);
    for (int t = 0; t < lin_threads; t++) {
        script[t] = argv[2 + t];
        if (strlen(script[t]) > LIN_OPS)
            return usage(argv[0], all, n);
    }
    do {
        run_scripts();
        if (!lin_holds(under_test->twin, &under_test->first)) {
            heddle_assert(!"no order of the operations explains what they returned");
            return 1;
        }
    } while (--rounds > 0);
    return 0;
}

#define TEST_MAIN(all)                                                      \
    int main(int argc, char **argv)                                         \
    {                                                                       \
        return test_main(all, (int)(sizeof all / sizeof all[0]), argc, argv); \
    }

#endif
