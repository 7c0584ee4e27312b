/* SPDX-License-Identifier: BSD-2-Clause
 *
 * struct_returns.h - finds stores of returned structures and accesses by vector instructions, which gcc does not
 * instrument.
 *
 * gcc's instrumentation skips calls: in `shared = make();`, where make returns a structure, neither the caller nor the
 * callee calls a hook for the write to shared.  The dump of that pass (-fdump-tree-tsan-lineno-uid) shows it: a call
 * whose left side is memory. gcc also emits no hook for the builtins of some vector instructions, which access memory
 * through a pointer.  The access is harmless if no other thread can have a pointer to that memory:
 *
 *   a variable of the function, or the object that it returns, if its address has not escaped on any path from
 *   the beginning of the function to the call;
 *   memory just returned by malloc or new, and an object in its constructor, under the same condition (passing it
 *   to a constructor as the object does not count).
 *
 * All other functions with such an access are reported.  Code that is not understood counts
 * as escaping. */
#ifndef HD_PROGRAM_STRUCT_RETURNS_H
#define HD_PROGRAM_STRUCT_RETURNS_H

struct hd_struct_returns_place {
    const char *function; /* its symbol */
    const char *file;     /* "": unknown */
    unsigned line;
};

/* Calls `found` once for each function of the dump that has such an access, with the first
 * place.  Overwrites the text. */
void hd_struct_returns_scan(char *dump, void (*found)(const struct hd_struct_returns_place *, void *), void *arg);

#endif
