/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_files.c - recognises new names in the working directory, by hashes of the old ones. */
#include "runtime/restore/child_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

enum { MOST = 2048, ROOM = 2 * MOST, SHOWN = 3 };

static uint64_t names[ROOM]; /* open addressing; 0: free */
static unsigned nnames, nshown;

/* Returns false if the name was known. */
static bool add(const char *name)
{
    size_t n = 0;

    while (name[n] != '\0')
        n++;
    uint64_t h = hd_hash_bytes(0, name, n) | 1;
    unsigned i = (unsigned)(h >> 1) % ROOM;

    for (; names[i] != 0; i = (i + 1) % ROOM)
        if (names[i] == h)
            return false;
    names[i] = h;
    nnames++;
    return true;
}

/* Calls fn for each name that is not yet known.  It gives up in a directory with too many names. */
static void each_new(void (*fn)(const char *name))
{
    static _Alignas(8) char buf[8192];
    long dir = hd_sys(SYS_open, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), bytes;

    while (dir >= 0 && nnames < MOST && (bytes = hd_sys(SYS_getdents64, dir, buf, sizeof buf)) > 0)
        for (long at = 0; at < bytes && nnames < MOST;) {
            const struct dirent64 *e = (const struct dirent64 *)(const void *)(buf + at);

            if (add(e->d_name))
                fn(e->d_name);
            at += e->d_reclen;
        }
    if (dir >= 0)
        hd_sys(SYS_close, dir, 0, 0);
}

static void known(const char *name)
{
    (void)name;
}

void hd_child_files_note(void)
{
    each_new(known);
}

/* The conductor's own directory for schedules does not come from a child. */
static bool is_heddles(const char *name)
{
    static const char own[] = ".heddle";

    for (size_t i = 0; i < sizeof own - 1; i++)
        if (name[i] != own[i])
            return false;
    return true;
}

static void tell(const char *name)
{
    char text[HD_LEDGER_TEXT];

    if (is_heddles(name) || nshown == SHOWN)
        return;
    nshown++;
    hd_format(text, sizeof text, "%s has appeared in the working directory: later executions see files that "
                                 "child processes leave there", name);
    hd_uncontrolled(text);
}

/* With several workers nothing is reported: the files of another worker's current execution are
 * also new names. */
void hd_child_files_look(void)
{
    if (hd.wire->children && hd.cfg->nworkers <= 1 && nnames < MOST)
        each_new(tell);
}
