/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.c - scans the program for atomic instructions and fills the runtime's table.
 * Replays beside a search run in forked copies of this process, which inherit the result of the
 * scan. */
#include "campaign/session/library_atomics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/loads.h"
#include "program/unseen.h"
#include "scan/locked.h"

static struct hd_locked_table *found;
static char *found_in; /* path of the program that was scanned */
static bool all;       /* every object could be read and the table had room */

static void add_site(const struct hd_locked_site *s, void *arg)
{
    struct hd_locked_span *span = arg;

    if (found->nsites == HD_MAX_LOCKED) {
        all = false;
        return;
    }
    found->site[found->nsites++] = *s;
    span->n++;
}

/* The program inlines most atomics of a C++ library.  The atomics inside the library order operations of the
 * program only where the library sets a result for the program (late_results); others, such as its reference
 * counts, would only add scheduling points. */
static void add_object(const char *path, void *arg)
{
    const struct hd_elf_info *program = arg;
    struct hd_locked_span *span = &found->span[found->nspans];
    bool cplusplus = found->nspans > 0 && hd_unseen_is_cplusplus(path);

    if (found->nspans > 0 && (hd_unseen_is_known(path) || (cplusplus && !program->late_results)))
        return;
    if (found->nspans == HD_MAX_LOCKED_OBJECTS) {
        all = false;
        return;
    }
    snprintf(span->path, sizeof span->path, "%.255s", path);
    span->first = found->nsites;
    all &= hd_locked_scan(path, cplusplus ? HD_LATE_RESULT : NULL, add_site, span);
    found->nspans++;
}

static void find(struct hd_elf_info *program)
{
    if (found_in != NULL && strcmp(found_in, program->path) == 0)
        return;
    free(found);
    free(found_in);
    found = hd_zeroed(1, sizeof *found);
    found_in = hd_copied(program->path);
    all = true;
    add_object(program->path, program);
    hd_loads_each(program, add_object, program);
}

void hd_locked_tell(struct hd_elf_info *program, struct hd_locked_table *to, struct hd_ledger *ledger)
{
    find(program);
    if (!all)
        hd_ledger_add(ledger, HD_DENIES, "not all code could be scanned for atomic instructions: "
                                         "a library cannot be read, or there is too much of it");
    to->nspans = found->nspans;
    to->nsites = found->nsites;
    memcpy(to->span, found->span, found->nspans * sizeof *to->span);
    memcpy(to->site, found->site, found->nsites * sizeof *to->site);
}
