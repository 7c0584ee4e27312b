/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cplusplus_input.c - what functions of libstdc++ read from a stream, or convert, into memory of the caller.  They are
 * compiled into the library, so their stores are not announced.  A function that has failed is not counted: it has
 * stored nothing, or a zero.  The names are those of the C++ ABI.
 *
 * The functions may throw.  Then nothing is counted, and the exception passes through the frame of the interposer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/sys/memory_ops.h"

/* Layout of the library: the offset of the base ios in a stream's virtual table, that of the state in ios, and that of
 * the number of characters that the last unformatted function has read.  A string is a pointer, a length, and
 * 16 bytes for short contents. */
enum { IOS_ENTRY = -3, STATE_IN_IOS = 32, COUNT_IN_STREAM = 8, STRING_HEAD = 16, STRING = 32 };

enum { BAD = 1, FAILED = 4 }; /* bits of the state */

static bool has_read(const char *stream)
{
    const ptrdiff_t *table = *(const ptrdiff_t *const *)(const void *)stream;
    const int *state = (const int *)(const void *)(stream + table[IOS_ENTRY] + STATE_IN_IOS);

    return (*state & (BAD | FAILED)) == 0;
}

static void note_read(const char *stream, const void *to, size_t n, uint64_t pc)
{
    if (has_read(stream))
        hd_range(to, n, true, pc);
}

/* The contents have been copied there by memcpy, or character by character. */
static void note_string(const char *stream, char *const *string, size_t character, uint64_t pc)
{
    if (!has_read(stream))
        return;
    size_t length = ((const size_t *)(const void *)string)[1];

    hd_range(*string, (length + 1) * character, true, pc);
    if (*string != (const char *)string + STRING_HEAD)
        hd_range(string, STRING_HEAD, true, pc);
    else
        hd_range(&((const size_t *)(const void *)string)[1], sizeof length, true, pc);
}

/* A line or a block; `more`: the zero byte that ends it and was not counted. */
static void note_characters(const char *stream, const void *to, size_t more, uint64_t pc)
{
    const ptrdiff_t *count = (const ptrdiff_t *)(const void *)(stream + COUNT_IN_STREAM);

    note_read(stream, to, (size_t)*count + more, pc);
}

static void note_word(const char *stream, const char *to, uint64_t pc)
{
    note_read(stream, to, hd_length(to) + 1, pc);
}

/* What from_chars and to_chars return. */
struct converted {
    char *end;
    int error; /* 0: none */
};

#define CALLS_CPLUSPLUS_INPUT
#include "runtime/calls/calls.def"
