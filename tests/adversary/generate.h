/* SPDX-License-Identifier: BSD-2-Clause
 *
 * generate.h - random small programs. */
#ifndef ADVERSARY_GENERATE_H
#define ADVERSARY_GENERATE_H

#include "text.h"

/* The same program for the same seed.  only: a letter for the family (generate.c) that it
 * takes its operations from, or 0 for several at once. */
void generate(struct text *p, uint64_t seed, char only);
extern const char generate_families[];

#endif
