/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller_memory.h - macros for those rows of calls.def whose functions access memory of the caller and do
 * nothing else. */
#ifndef HD_RUNTIME_CALLS_CALLER_MEMORY_H
#define HD_RUNTIME_CALLS_CALLER_MEMORY_H

#include "runtime/calls/intercept.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/compiler.h"

#define NOTES(type, name, params, args, note) \
    HD_EXPORT type name params                \
    {                                         \
        uint64_t pc = HD_RETURN_PC;           \
                                              \
        if (hd_watched(pc)) {                 \
            hd_notes_begin();                 \
            note;                             \
            hd_notes_end();                   \
        }                                     \
        return HD_REAL(name) args;            \
    }

#define NOTES_VARIADIC(type, name, params, args, sister, last, note) \
    HD_EXPORT type name params                                       \
    {                                                                \
        uint64_t pc = HD_RETURN_PC;                                  \
        va_list ap;                                                  \
                                                                     \
        va_start(ap, last);                                          \
        if (hd_watched(pc)) {                                        \
            hd_notes_begin();                                        \
            note;                                                    \
            hd_notes_end();                                          \
        }                                                            \
        type result = HD_REAL(sister) args;                          \
        va_end(ap);                                                  \
        return result;                                               \
    }

/* Like NOTES, for a function of libstdc++, which no header declares in C. */
#define CPLUSPLUS(type, name, params, args, note) \
    type name params;                             \
    NOTES(type, name, params, args, note)

/* Like NOTES, if only the result shows what was accessed: `note` comes after the call. */
#define NOTES_AFTER(type, name, params, args, note) \
    HD_EXPORT type name params                      \
    {                                               \
        uint64_t pc = HD_RETURN_PC;                 \
        type result = HD_REAL(name) args;           \
                                                    \
        if (hd_watched(pc))                         \
            note;                                   \
        return result;                              \
    }

/* Like NOTES_AFTER, for a function of libstdc++, which no header declares in C. */
#define CPLUSPLUS_AFTER(type, name, params, args, note) \
    type name params;                                   \
    NOTES_AFTER(type, name, params, args, note)

#define NOTES_VARIADIC_AFTER(type, name, params, args, sister, last, note) \
    HD_EXPORT type name params                                             \
    {                                                                      \
        uint64_t pc = HD_RETURN_PC;                                        \
        va_list ap;                                                        \
                                                                           \
        va_start(ap, last);                                                \
        type result = HD_REAL(sister) args;                                \
        va_end(ap);                                                        \
        if (hd_watched(pc))                                                \
            note;                                                          \
        return result;                                                     \
    }

#endif
