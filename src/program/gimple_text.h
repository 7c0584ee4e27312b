/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gimple_text.h - the text of statements in a dump of gcc's intermediate code (GIMPLE).  In the dump a variable
 * has "D."  and a number after its name (sharedD.3108); an SSA value does not (p_2, _7, this_5(D)). */
#ifndef HD_PROGRAM_GIMPLE_TEXT_H
#define HD_PROGRAM_GIMPLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of the dump. */
struct hd_gimple_span {
    const char *at;
    size_t n;
};

/* The target of a store: the name of a variable, or of the value that points to it. */
enum hd_gimple_kind { HD_GIMPLE_UNKNOWN, HD_GIMPLE_VARIABLE, HD_GIMPLE_VALUE };

/* A place in the source. */
struct hd_gimple_place {
    char *file; /* NULL: not known; freed by the owner */
    unsigned line;
};

bool hd_gimple_begins(const char *text, const char *with);

bool hd_gimple_in_name(char c);

bool hd_gimple_same(struct hd_gimple_span a, struct hd_gimple_span b);

/* Removes the places, which precede statements and operands, and stores the first one. */
void hd_gimple_strip(char *line, struct hd_gimple_place *first);

/* Reads the name at the beginning of text into *name.  Returns what it names: a variable or an SSA
 * value.  Returns HD_GIMPLE_UNKNOWN if it is neither. */
enum hd_gimple_kind hd_gimple_name(const char *text, struct hd_gimple_span *name);

/* Returns the position after a type in parentheses, or text if it does not begin with one. */
const char *hd_gimple_behind_cast(const char *text);

/* Finds the name at the base of a memory reference.  Returns HD_GIMPLE_VARIABLE if the memory is that
 * variable, HD_GIMPLE_VALUE if the value points to the memory, else HD_GIMPLE_UNKNOWN. */
enum hd_gimple_kind hd_gimple_base(const char *text, struct hd_gimple_span *name);

/* True for a call of an allocator with one argument (placement new has two), or of calloc. */
bool hd_gimple_allocates(const char *call);

/* Returns the right side of an assignment, or NULL if text is not one. */
const char *hd_gimple_right_side(const char *text);

/* True if the right side is a call.  Only calls and plain copies assign to memory that threads may share, and gcc
 * instruments the copies. */
bool hd_gimple_is_call(const char *right);

/* In a call of a constructor A::A, returns the position after its first argument.  In all other
 * calls, returns text. */
const char *hd_gimple_behind_object(const char *text);

/* `at` is an occurrence of the name of an object: of a variable, or of a value that points to the object.  True if the
 * object escapes there, that is, if its address may become known outside of the function.  False if it is only used. */
bool hd_gimple_hands_on(const char *text, const char *at, struct hd_gimple_span name, enum hd_gimple_kind kind);

/* True for calls that keep no address of their arguments: iterators of the C++ library, and
 * operators except calls and assignments. */
bool hd_gimple_keeps_nothing(const char *text);

#endif
