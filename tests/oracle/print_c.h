/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print_c.h - an in-memory program as a C program that stands alone (pthreads, C11
 * atomics, futex system calls), for people who look at one that fails. */
#ifndef HD_TESTS_ORACLE_PRINT_C_H
#define HD_TESTS_ORACLE_PRINT_C_H

#include <stdio.h>

#include "support/program.h"

/* Is it well-formed: jumps stay inside, a once has its routine, no thread joins one that it
 * did not create?  Everything generated is. */
bool print_c_possible(const struct program *p);

void print_c(const struct program *p, FILE *out);

/* Can main wait for the threads?  print_c_joined prints the program so; with print_c main leaves, and the
 * others go on. */
bool print_c_can_join(const struct program *p);
void print_c_joined(const struct program *p, FILE *out);

/* Operations of the thread's script. */
unsigned print_c_length(const struct program *p, unsigned thread);

#endif
