/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cplusplus_streams.c - streams of libstdc++, whose functions are in the library.  All functions that read or write
 * construct a sentry first.  The runtime treats this as a plain access to the stream's buffer: threads that use one
 * stream at the same time race, except for the standard streams.  The names are those of the C++ ABI.
 *
 * Each function ends with a tail call of the library's function, which may throw. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/calls/caller_memory.h"

/* The standard streams; NULL if the library is not loaded. */
extern char _ZSt4cout[] __attribute__((weak)), _ZSt4cerr[] __attribute__((weak)), _ZSt4clog[] __attribute__((weak)),
    _ZSt3cin[] __attribute__((weak)), _ZSt5wcout[] __attribute__((weak)), _ZSt5wcerr[] __attribute__((weak)),
    _ZSt5wclog[] __attribute__((weak)), _ZSt4wcin[] __attribute__((weak));

/* Layout of the library: the offset of the base ios in a stream's virtual table, the offset of the buffer pointer in
 * ios, and the part of a buffer with its read and write positions. */
enum { IOS_ENTRY = -3, BUFFER_IN_IOS = 232, POSITIONS = 8, POSITIONS_BYTES = 48 };

/* Returns the stream's buffer.  In a program without <iostream> the standard streams are never constructed and
 * have no virtual table. */
static char *buffer_of(const char *stream)
{
    const ptrdiff_t *table = *(const ptrdiff_t *const *)(const void *)stream;

    return table != NULL ? *(char *const *)(const void *)(stream + table[IOS_ENTRY] + BUFFER_IN_IOS) : NULL;
}

static bool is_standard(const char *buffer)
{
    const char *const streams[] = { _ZSt4cout, _ZSt4cerr, _ZSt4clog, _ZSt3cin, _ZSt5wcout, _ZSt5wcerr, _ZSt5wclog,
                                    _ZSt4wcin };

    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (streams[i] != NULL && buffer_of(streams[i]) == buffer)
            return true;
    return false;
}

static void note_stream(const char *stream, uint64_t pc)
{
    const char *buffer = buffer_of(stream);

    if (buffer != NULL && !is_standard(buffer))
        hd_range(buffer + POSITIONS, POSITIONS_BYTES, true, pc);
}

#define CALLS_CPLUSPLUS_STREAMS
#include "runtime/calls/calls.def"
