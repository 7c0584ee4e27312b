/* SPDX-License-Identifier: BSD-2-Clause
 *
 * struct_returns.h - stores of structures that calls return, which gcc does not announce.
 *
 * gcc's instrumentation passes over calls: in `shared = make();`, where make returns a
 * structure, neither the caller nor the callee tells that shared is written.  What the compiler
 * was left with is in the dump of that very pass (-fdump-tree-tsan-lineno-uid): a call whose left
 * side is memory.  It does no harm where nobody else can know that memory:
 *
 *   a variable of the function, or the place of the function's own result, whose address has
 *   been given to nobody on any way from its beginning to the call;
 *   memory that the function has just been given by malloc or new, and an object in its
 *   constructor, likewise (to be handed to a constructor as its object counts for nothing).
 *
 * All other such functions are told.  What is not understood counts as known to others. */
#ifndef HD_PROGRAM_STRUCT_RETURNS_H
#define HD_PROGRAM_STRUCT_RETURNS_H

struct hd_struct_returns_place {
    const char *function; /* its symbol */
    const char *file;     /* "" unknown */
    unsigned line;
};

/* Tell of each function of the dump that has such a store, once, with the first place.  The
 * text is written over. */
void hd_struct_returns_scan(char *dump, void (*found)(const struct hd_struct_returns_place *, void *), void *arg);

#endif
