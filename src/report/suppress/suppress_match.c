/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_match.c - decides whether a suppression matches a finding.  Everything that the
 * suppression names must match.  Each of its stacks must match a different stack of the finding,
 * starting at the innermost frame; the outer frames need not match. */
#include "report/suppress/suppress.h"

#include <string.h>

enum { MAX_STACKS = 64 };

bool hd_supp_glob(const char *glob, const char *text)
{
    const char *star = NULL, *again = NULL; /* the last '*', and the end of the text that it matches so far */

    while (*text != '\0')
        if (*glob == '*') {
            star = glob++;
            again = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star != NULL) {
            glob = star + 1;
            text = ++again;
        } else {
            return false;
        }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Returns the length of the part before the parameters, as in "ns::push(int, char const*) const". */
static size_t without_parameters(const char *function)
{
    const char *close = strrchr(function, ')');
    int depth = 0;

    for (const char *p = close; p != NULL && p > function; p--) {
        depth += *p == ')';
        depth -= *p == '(';
        if (depth == 0)
            return (size_t)(p - function);
    }
    return strlen(function);
}

static bool fits_function(const char *glob, const char *function)
{
    char name[512];
    size_t n = without_parameters(function);

    if (hd_supp_glob(glob, function))
        return true;
    if (function[n] == '\0' || n >= sizeof name)
        return false;
    memcpy(name, function, n);
    name[n] = '\0';
    return hd_supp_glob(glob, name);
}

/* True if the file matches.  A glob without a directory must match the file name, any other glob
 * the end of the path. */
static bool fits_file(const char *glob, const char *file)
{
    if (*file == '\0')
        return false;
    if (strchr(glob, '/') == NULL)
        return hd_supp_glob(glob, hd_base_name(file));
    if (hd_supp_glob(glob, file))
        return true;
    for (const char *p = strchr(file, '/'); p != NULL && *glob != '/'; p = strchr(p + 1, '/'))
        if (hd_supp_glob(glob, p + 1))
            return true;
    return false;
}

static bool fits_frame(const struct hd_supp_line *l, const struct hd_frame *f)
{
    switch (l->part) {
    case HD_SUPP_FUN:
        return fits_function(l->glob, f->function);
    case HD_SUPP_FILE:
        return fits_file(l->glob, f->file);
    default:
        return hd_supp_glob(l->glob, f->module);
    }
}

/* True if the lines match the stack.  Works like hd_supp_glob, with "..." as '*', but the outer
 * frames need not match. */
static bool fits_stack(const struct hd_supp_line *l, unsigned n, const struct hd_supp_stack *s)
{
    unsigned at = 0, frame = 0, star = n, again = 0;

    while (at < n) {
        if (l[at].part == HD_SUPP_ANY) {
            star = at++;
            again = frame;
        } else if (frame < s->n && fits_frame(&l[at], &s->frames[frame])) {
            at++;
            frame++;
        } else if (star < n && again < s->n) {
            at = star + 1;
            frame = ++again;
        } else {
            return false;
        }
    }
    return true;
}

/* ---- suppressions -------------------------------------------------------------------- */

/* Returns the number of lines of the stack that begins at line `from`; sets *next to the first line
 * of the next stack. */
static unsigned stack_lines(const struct hd_suppression *s, unsigned from, unsigned *next)
{
    unsigned end = from;

    while (end < s->nlines && s->lines[end].part != HD_SUPP_STACK)
        end++;
    *next = end + 1;
    return end - from;
}

/* True if each stack from line `from` on matches a different stack of the finding.  taken: bits of
 * the stacks that are already matched. */
static bool fits_stacks(const struct hd_suppression *s, unsigned from,
                        const struct hd_supp_subject *what, uint64_t taken)
{
    unsigned next, n;

    if (from >= s->nlines)
        return true;
    n = stack_lines(s, from, &next);
    if (n == 0 && from == 0)
        return fits_stacks(s, next, what, taken); /* no lines before the first "stack:" */
    for (unsigned i = 0; i < what->nstacks && i < MAX_STACKS; i++)
        if (!(taken >> i & 1) && fits_stack(&s->lines[from], n, &what->stacks[i]) &&
            fits_stacks(s, next, what, taken | UINT64_C(1) << i))
            return true;
    return false;
}

static bool fits_variable(const char *glob, const struct hd_supp_subject *what)
{
    for (unsigned i = 0; i < what->nvariables; i++)
        if (hd_supp_glob(glob, what->variables[i]))
            return true;
    return false;
}

static bool fits_variables(const struct hd_suppression *s, const struct hd_supp_subject *what)
{
    for (unsigned i = 0; i < s->nvariables; i++)
        if (!fits_variable(s->variables[i], what))
            return false;
    return true;
}

static bool covers(const struct hd_suppression *s, const struct hd_supp_subject *what)
{
    return hd_supp_allowed(what->kind) && hd_supp_glob(s->kind, hd_finding_kind_text(what->kind)) &&
           fits_variables(s, what) &&
           (s->message == NULL || hd_supp_glob(s->message, what->message)) &&
           fits_stacks(s, 0, what, 0);
}

struct hd_suppression *hd_suppressions_find(const struct hd_suppressions *s,
                                            const struct hd_supp_subject *what)
{
    for (unsigned i = 0; i < s->n; i++)
        if (covers(&s->all[i], what))
            return &s->all[i];
    return NULL;
}

bool hd_suppressions_concern(const struct hd_suppressions *s, enum hd_finding_kind kind)
{
    for (unsigned i = 0; i < s->n; i++)
        if (hd_supp_allowed(kind) && hd_supp_glob(s->all[i].kind, hd_finding_kind_text(kind)))
            return true;
    return false;
}
