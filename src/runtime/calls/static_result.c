/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_result.c - functions of libc that use memory that all threads share, and do not lock it: those that keep their
 * result there, and the _unlocked functions of stdio.
 *
 * POSIX does not let threads call them at the same time.  So a call's write to that memory is a
 * plain access: two unordered calls are a data race, and so are a call and an unordered read of
 * another call's result.
 *
 * R1.  The accesses are noted after the call, because only its result says where the memory is.  They are not
 *     scheduling points. */
#define __NO_INLINE__ 1 /* prevents the inline definitions of putc_unlocked etc. in the header */

#include <fstab.h>
#include <getopt.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <search.h>
#include <shadow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <utmpx.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/hooks/range.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/compiler.h"

char *re_comp(const char *pattern);
int re_exec(const char *text);
int __posix_getopt(int argc, char *const argv[], const char *options);

/* In this section `result` is the value that libc's function has returned. */
#define RESULT(type, name, params, args, note) \
    HD_EXPORT type name params                 \
    {                                          \
        uint64_t pc = HD_RETURN_PC;            \
        type result = HD_REAL(name) args;      \
                                               \
        if (hd_watched(pc))                    \
            note;                              \
        return result;                         \
    }

#define RESULT_OF_ZONE(type, name, params, args, note) \
    HD_EXPORT type name params                         \
    {                                                  \
        uint64_t pc = HD_RETURN_PC;                    \
        bool watched = hd_watched(pc);                 \
                                                       \
        if (watched)                                   \
            hd_environment_zone(pc);                   \
        type result = HD_REAL(name) args;              \
                                                       \
        if (watched)                                   \
            note;                                      \
        return result;                                 \
    }

#define ONE_TABLE(type, name, params, args)                                                               \
    HD_EXPORT type name params                                                                            \
    {                                                                                                     \
        if (hd_shared_may_conflict())                                                                     \
            hd_uncontrolled(#name "() beside other threads: what it shares with other calls is not seen"); \
        return HD_REAL(name) args;                                                                        \
    }

/* Notes a write of the record; p is NULL if the function has failed. */
static void note_record(const void *p, size_t n, uint64_t pc)
{
    if (p != NULL)
        hd_range_of_call(p, n, true, pc);
}

static void note_text(const char *s, uint64_t pc)
{
    if (s != NULL)
        hd_range_of_call(s, strlen(s) + 1, true, pc);
}

/* The function writes the date into the record of localtime.  The second call only returns that
 * record: it writes the same values again. */
static void note_date(const time_t *t, const char *s, uint64_t pc)
{
    hd_range_of_call(t, sizeof *t, false, pc);
    note_text(s, pc);
    note_record(HD_REAL(localtime)(t), sizeof(struct tm), pc);
}

static void note_stream(const FILE *f, uint64_t pc)
{
    hd_range_of_call(f, sizeof *f, true, pc);
}

static void note_options(uint64_t pc)
{
    hd_range_of_call(&optind, sizeof optind, true, pc);
    hd_range_of_call(&optarg, sizeof optarg, true, pc);
}

static char compiled; /* represents the compiled pattern, which is internal to libc */

#define CALLS_STATIC_RESULT
#include "runtime/calls/calls.def"
