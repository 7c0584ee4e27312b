/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller.c - see caller.h. */
#include "report/evidence/caller.h"

#include <string.h>

#include "report/evidence/stack.h"
#include "report/names/symbols.h"

struct stack {
    struct hd_frame frame[HD_MAX_FRAMES];
    unsigned n;
};

/* Stores the frames of the event that are in the user's source, innermost first. */
static void own_frames(const struct hd_report *r, uint32_t event, struct stack *s)
{
    struct hd_frame all[HD_MAX_FRAMES];
    const struct hd_capture *c = hd_report_witnessed(r, event);
    unsigned n = c != NULL ? hd_stack_captured_frames(r, c, all, HD_MAX_FRAMES) : 0;

    s->n = 0;
    for (unsigned i = 0; i < n; i++)
        if (all[i].line > 0 && !all[i].runtime && !hd_is_system_file(all[i].file))
            s->frame[s->n++] = all[i];
}

static bool is_same_function(const struct hd_frame *a, const struct hd_frame *b)
{
    return strcmp(a->function, b->function) == 0 && strcmp(a->file, b->file) == 0;
}

bool hd_caller_find(const struct hd_report *r, struct hd_frame out[2])
{
    const struct hd_explanation *why = r->why;
    struct stack first, last;

    if (why == NULL || why->nevents != 3 || why->event[0] >= r->nevents || why->event[2] >= r->nevents ||
        r->events[why->event[0]].tid != r->events[why->event[2]].tid)
        return false;
    own_frames(r, why->event[0], &first);
    own_frames(r, why->event[2], &last);
    for (unsigned i = 0; i < first.n; i++)
        for (unsigned k = 0; k < last.n; k++)
            if (is_same_function(&first.frame[i], &last.frame[k])) {
                out[0] = first.frame[i];
                out[1] = last.frame[k];
                return i > 0 && k > 0;
            }
    return false;
}
