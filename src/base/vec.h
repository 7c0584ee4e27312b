/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vec.h - growing arrays for the tool: a pointer and a number of elements, both zero at first.  The capacity is
 * not stored: it is the smallest power of two that is not less than the number of elements. */
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H

#include "base/memory.h"

/* Makes room for one more element after n elements. */
static inline void *hd_vec_room(void *list, size_t n, size_t each)
{
    return (n & (n - 1)) == 0 ? hd_resized(list, n > 0 ? 2 * n : 1, each) : list;
}

/* Appends an element, which is not initialised.  The value of the expression is a pointer to it.  Evaluates its
 * arguments several times. */
#define HD_PUSH(list, n) ((list) = hd_vec_room((list), (n), sizeof *(list)), &(list)[(n)++])

#endif
