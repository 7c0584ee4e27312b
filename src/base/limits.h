/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.h - sizes of caches, chunks and tables.  A build with -DHEDDLE_TINY=ON uses the smallest allowed
 * sizes, so that tests reach the code for full tables.  A full table must cost nothing but speed, unless the
 * comment of its limit says otherwise.  Limits of the program under test (threads, objects, steps) are not
 * among them. */
#ifndef HD_BASE_LIMITS_H
#define HD_BASE_LIMITS_H

#ifdef HD_TINY
#define HD_LIMIT(usual, tiny) (tiny)
#else
#define HD_LIMIT(usual, tiny) (usual)
#endif

#endif
