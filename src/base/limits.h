/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.h - sizes of caches, chunks and tables.  A build with -DHEDDLE_TINY=ON has the smallest
 * ones that are allowed, so that tests reach what happens when they are full: nothing may be lost
 * then but speed, unless the limit says what is.  Limits of the program under test (threads,
 * objects, steps) are not among them. */
#ifndef HD_BASE_LIMITS_H
#define HD_BASE_LIMITS_H

#ifdef HD_TINY
#define HD_LIMIT(usual, tiny) (tiny)
#else
#define HD_LIMIT(usual, tiny) (usual)
#endif

#endif
