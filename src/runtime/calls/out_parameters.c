/* SPDX-License-Identifier: BSD-2-Clause
 *
 * out_parameters.c - functions that store a result or their state in memory of the caller: parts of
 * numbers, generators of random numbers, sets of signals, linked lists, search trees.  These
 * accesses are plain accesses (caller_memory.c, C1). */
#include <iconv.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/sys/memory_ops.h"

struct node { /* the first members of an element of insque */
    struct node *next, *previous;
};

static void note_text(const char *s, uint64_t pc)
{
    hd_range(s, hd_length(s) + 1, false, pc);
}

/* Notes that a generator reads its state and writes it. */
static void note_state(void *p, size_t n, uint64_t pc)
{
    hd_range(p, n, true, pc);
}

/* Notes the accesses of strsep, which works like strtok_r but ends a token at every character of
 * `set`. */
static void note_separated(char **rest, const char *set, uint64_t pc)
{
    hd_range(rest, sizeof *rest, true, pc);
    note_text(set, pc);
    if (*rest == NULL)
        return;
    size_t end = HD_REAL(strcspn)(*rest, set);

    hd_range(*rest, end + 1, false, pc);
    if ((*rest)[end] != '\0')
        hd_range(*rest + end, 1, true, pc);
}

static void note_linked(struct node *e, struct node *after, uint64_t pc)
{
    hd_range(e, sizeof *e, true, pc);
    if (after == NULL)
        return;
    hd_range(&after->next, sizeof after->next, true, pc);
    if (after->next != NULL)
        hd_range(&after->next->previous, sizeof after->next->previous, true, pc);
}

static void note_unlinked(struct node *e, uint64_t pc)
{
    hd_range(e, sizeof *e, false, pc);
    if (e->next != NULL)
        hd_range(&e->next->previous, sizeof e->next->previous, true, pc);
    if (e->previous != NULL)
        hd_range(&e->previous->next, sizeof e->previous->next, true, pc);
}

/* Notes an access to a search tree.  libc allocates the nodes; the pointer to the root represents
 * all of them. */
static void note_tree(void *const *root, bool write, uint64_t pc)
{
    if (root != NULL)
        hd_range(root, sizeof *root, write, pc);
}

static void note_table(const void *p, const size_t *n, size_t size, uint64_t pc)
{
    hd_range(n, sizeof *n, false, pc);
    hd_range(p, *n * size, false, pc);
}

/* Writes only if it adds the element, which is known only after the call. */
HD_EXPORT void *lsearch(const void *key, void *p, size_t *n, size_t size, __compar_fn_t compare)
{
    uint64_t pc = HD_RETURN_PC;
    bool watched = hd_watched(pc);

    if (watched)
        note_table(p, n, size, pc);
    size_t before = *n;
    void *result = HD_REAL(lsearch)(key, p, n, size, compare);

    if (watched && *n != before) {
        hd_range_of_call(result, size, true, pc);
        hd_range_of_call(n, sizeof *n, true, pc);
    }
    return result;
}

static void note_matched(const regex_t *re, const char *s, size_t n, const regmatch_t at[], int flags, uint64_t pc)
{
    hd_range_of_call(re, sizeof *re, false, pc);
    if ((flags & REG_STARTEND) == 0)
        hd_range_of_call(s, hd_length(s) + 1, false, pc);
    if (!re->no_sub)
        hd_range_of_call(at, n * sizeof *at, true, pc);
}

/* Advances the four variables past the bytes that it has read and written. */
HD_EXPORT size_t iconv(iconv_t how, char **in, size_t *nin, char **out, size_t *nout)
{
    uint64_t pc = HD_RETURN_PC;
    const char *from = in != NULL ? *in : NULL, *to = out != NULL ? *out : NULL;
    size_t result = HD_REAL(iconv)(how, in, nin, out, nout);

    if (!hd_watched(pc))
        return result;
    if (from != NULL) {
        hd_range_of_call(from, (size_t)(*in - from), false, pc);
        hd_range_of_call(in, sizeof *in, true, pc);
        hd_range_of_call(nin, sizeof *nin, true, pc);
    }
    if (to != NULL) {
        hd_range_of_call(to, (size_t)(*out - to), true, pc);
        hd_range_of_call(out, sizeof *out, true, pc);
        hd_range_of_call(nout, sizeof *nout, true, pc);
    }
    return result;
}

#ifndef __clang__ /* clang does not have the warning that is ignored here */
#pragma GCC diagnostic ignored "-Wvla-parameter" /* headers declare the array of regexec in several ways */
#endif
#define CALLS_OUT_PARAMETERS
#include "runtime/calls/calls.def"
