/* SPDX-License-Identifier: BSD-2-Clause
 *
 * prologue.c - see prologue.h. */
#include "runtime/progress/prologue.h"

#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"

static bool has_prologue;

void hd_prologue_init(void)
{
    static const char *const names[] = { "heddle_rt_start", NULL };

    has_prologue = hd_imports_any(names);
}

void hd_prologue_begin(void)
{
    hd.prologue = has_prologue;
    hd.exec->fixed = has_prologue ? UINT32_MAX : 0;
}

/* Returns the next enabled thread after this one, in the order of creation. */
static hd_tid next_after(const struct hd_point *p, hd_tid last)
{
    for (uint32_t i = 1; i < p->nthreads; i++) {
        hd_tid t = (hd_tid)((last + i) % p->nthreads);

        if (hd_set_has(&p->enabled, t))
            return t;
    }
    return last;
}

hd_tid hd_prologue_pick(struct hd_point *p)
{
    struct hd_set all = p->enabled, one = { { 0 } };
    hd_tid next = p->last_enabled && !p->last_yielded ? p->last : next_after(p, p->last);

    hd_set_add(&one, next);
    p->enabled = one;
    next = hd_search_pick(&hd.search, p);
    p->enabled = all;
    return next;
}

void hd_prologue_leave(void)
{
    if (!hd.prologue)
        return;
    hd.prologue = false;
    hd.exec->fixed = hd.exec->nsteps;
    hd_mentioned("what comes before heddle_start() has run in one order only");
}

void hd_prologue_end(void)
{
    if (hd.prologue)
        hd_uncontrolled("heddle_start() was not reached: an execution ended before it, in the one order that runs there");
}
