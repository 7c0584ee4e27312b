/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - for programs that check that every execution starts from the same
 * state.  What a program cannot know (an address, what an uninitialised variable
 * holds) it shows in its trace instead: echo() makes a number visible, so that
 * traces of executions in one process and in fresh processes can be compared. */
#ifndef STATE_H
#define STATE_H

#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* As many visible operations as the last digit (base 16) says. */
static inline void echo(uintptr_t number)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    for (uintptr_t i = 0; i < number % 16; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

/* A digest of memory that has not been written. */
static inline uintptr_t digest(const volatile unsigned char *p, size_t n)
{
    uintptr_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + p[i];
    return sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 32;
}

/* Make the compiler believe that p was written. */
#define pretend_written(p) __asm__ volatile("" : : "r"(p) : "memory")

#endif
