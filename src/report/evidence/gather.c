/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.c - collects the stacks of a finding: those of its kind (kinds.c), then those of decisive
 * events and of the allocation and release of a heap block. */
#include "report/evidence/gather.h"

#include <stdio.h>

#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/kinds.h"
#include "report/evidence/rows.h"
#include "report/evidence/stack.h"

/* ---- history ------------------------------------------------------------------------------ */

/* Appends the stacks of decisive events.  Skips stacks of one frame: they add nothing to the place
 * of the event. */
static void gather_events(struct hd_evidence_list *l, const struct hd_report *r)
{
    struct hd_rows rows;

    if (r->witness == NULL)
        return;
    hd_rows_open(&rows, r, false);
    for (uint32_t i = 0; i < rows.n; i++) {
        const struct hd_row *row = &rows.all[i];
        const struct hd_capture *c;
        struct hd_frame f[2];
        char label[64], op[320];

        if (!row->decisive || row->type != HD_ROW_EVENT ||
            (c = hd_report_witnessed(r, (uint32_t)(row->event - r->events))) == NULL ||
            hd_stack_captured_frames(r, c, f, 2) < 2 || hd_deadlock_shows(r, row->event))
            continue;
        hd_row_label(&rows, row, label, sizeof label);
        hd_describe_operation(r, row->event, op, sizeof op);
        struct hd_evidence item = { .role = HD_ROLE_EVENT, .tid = row->tid };

        snprintf(item.title, sizeof item.title, "%s: %s", label, op);
        snprintf(item.heading, sizeof item.heading, "Stack of %s: %s", label, op);
        hd_evidence_captured(l, r, &item, c);
    }
    hd_rows_close(&rows);
}

/* Writes when a thread allocated or freed the block: `step` decisions came before.  The table
 * numbers decisions from 1. */
static void when(const struct hd_report *r, uint32_t step, char *buf, size_t cap)
{
    if (step == 0)
        snprintf(buf, cap, "before step 1");
    else if (step >= r->ndecisions)
        snprintf(buf, cap, "after step %u", step);
    else
        snprintf(buf, cap, "between steps %u and %u", step, step + 1);
}

static void add_site(struct hd_evidence_list *l, const struct hd_report *r,
                     const struct hd_heap_site *s, const char *what)
{
    uint64_t pc[1 + HD_SITE_CALLS] = { s->pc };
    char who[64], time[64], title[200];
    unsigned n = 1;

    while (n <= HD_SITE_CALLS && s->calls[n - 1] != 0) {
        pc[n] = s->calls[n - 1];
        n++;
    }
    hd_describe_thread(r, s->tid, who, sizeof who);
    when(r, s->step, time, sizeof time);
    snprintf(title, sizeof title, "The block was %s by %s %s", what, who, time);
    struct hd_evidence item = hd_evidence_titled(HD_ROLE_BLOCK, s->tid, title);

    hd_evidence_calls(l, r, &item, pc, n);
}

/* ---- the whole list ----------------------------------------------------------------------- */

void hd_evidence_gather(struct hd_evidence_list *l, const struct hd_report *r)
{
    const struct hd_block_info *block = hd_report_block(r);

    *l = (struct hd_evidence_list){ .n = 0 };
    hd_kind_report(r)->evidence(l, r);
    gather_events(l, r);
    if (block != NULL) {
        add_site(l, r, &block->allocated, "allocated");
        add_site(l, r, &block->freed, "freed");
    }
}

unsigned hd_evidence_main(const struct hd_evidence_list *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].blamed)
            return i;
    return 0;
}
