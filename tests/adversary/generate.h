/* SPDX-License-Identifier: BSD-2-Clause
 *
 * generate.h - random small programs. */
#ifndef ADVERSARY_GENERATE_H
#define ADVERSARY_GENERATE_H

#include "text.h"

/* The same program for the same seed, with operations of one to three of the families
 * (generate_families). */
void generate(struct text *p, uint64_t seed, const char *families);
extern const char generate_families[]; /* a letter each */

#endif
