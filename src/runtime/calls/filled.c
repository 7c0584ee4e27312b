/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filled.c - models of libc functions that write results (facts about the system, text, numbers) to memory of the
 * caller.  These accesses are plain accesses (caller_memory.c, C1). */
#include <arpa/inet.h>
#include <dirent.h>
#include <fnmatch.h>
#include <glob.h>
#include <grp.h>
#include <inttypes.h>
#include <libgen.h>
#undef basename
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/calls/intercept.h"
#include "runtime/sys/memory_ops.h"

int __gethostname_chk(char *to, size_t n, size_t room);
int __getdomainname_chk(char *to, size_t n, size_t room);
int __getlogin_r_chk(char *to, size_t n, size_t room);
int __ttyname_r_chk(int fd, char *to, size_t n, size_t room);
int __ptsname_r_chk(int fd, char *to, size_t n, size_t room);
size_t __confstr_chk(int name, char *to, size_t n, size_t room);
int __xpg_strerror_r(int error, char *to, size_t n);

static void note_read(const void *p, size_t n, uint64_t pc)
{
    hd_range_of_call(p, n, false, pc);
}

static void note_written(const void *p, size_t n, uint64_t pc)
{
    hd_range_of_call(p, n, true, pc);
}

static void note_texts(const char *a, const char *b, uint64_t pc)
{
    hd_range_of_text(a, pc);
    hd_range_of_text(b, pc);
}

/* Notes the write of the text that a call has stored in a buffer of n bytes, if `stored` is true. */
static void note_text_stored(const char *to, size_t n, bool stored, uint64_t pc)
{
    if (!stored || to == NULL || n == 0)
        return;
    size_t length = hd_length_max(to, n);

    note_written(to, length < n ? length + 1 : n, pc);
}

/* Notes the write of the n characters that a printf has produced and of the terminating zero, as far as they fit
 * into `room` bytes. */
static void note_printed(const char *to, int n, size_t room, uint64_t pc)
{
    if (n >= 0)
        note_written(to, (size_t)n < room ? (size_t)n + 1 : room, pc);
}

/* ---- wide numbers ---- */

static const wchar_t *end_of_integer(const wchar_t *s, int base)
{
    wchar_t *end;

    HD_REAL(wcstoll)(s, &end, base);
    return end;
}

static const wchar_t *end_of_float(const wchar_t *s)
{
    wchar_t *end;

    HD_REAL(wcstold)(s, &end);
    return end;
}

/* Notes the read of the string s up to the first character that does not belong to the number. */
static void note_number(const wchar_t *s, const wchar_t *end, wchar_t *const *to, uint64_t pc)
{
    note_read(s, (size_t)(end + 1 - s) * sizeof *s, pc);
    note_written(to, sizeof *to, pc);
}

static void note_narrow(const char *s, int base, char *const *to, uint64_t pc)
{
    char *end;

    HD_REAL(strtoimax)(s, &end, base);
    note_read(s, (size_t)(end + 1 - s), pc);
    note_written(to, sizeof *to, pc);
}

/* ---- characters ---- */

/* Notes what a character conversion has stored. n: its result, negative if it stored nothing. */
static void note_character(const void *to, ptrdiff_t n, const mbstate_t *state, uint64_t pc)
{
    note_written(to, n > 0 ? (size_t)n : 0, pc);
    note_written(state, sizeof *state, pc);
}

/* ---- users and groups ---- */

/* record: the record of the user or group; text: the buffer of the strings to which it points. */
static void note_entry(const void *record, size_t size, const char *text, size_t n, const void *result, uint64_t pc)
{
    note_written(result, sizeof(void *), pc);
    if (*(void *const *)result == NULL)
        return;
    note_written(record, size, pc);
    note_written(text, n, pc);
}

static void note_hashed(const ENTRY *const *result, ACTION action, const struct hsearch_data *table, uint64_t pc)
{
    hd_range_of_call(table, sizeof *table, action == ENTER, pc);
    note_written(result, sizeof *result, pc);
}

#define CALLS_FILLED
#include "runtime/calls/calls.def"
