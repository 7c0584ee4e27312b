/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - the history of a heap block: allocated and freed by whom, between
 * which steps of the interleaving. */
#include "report/evidence/memory.h"

#include <stdio.h>

const struct hd_block_info *hd_memory_block(const struct hd_report *r)
{
    const struct hd_section *s = hd_finding_section(r->finding, HD_SEC_BLOCK, HD_NO_TID);

    return s != NULL && s->bytes >= sizeof(struct hd_block_info)
               ? (const struct hd_block_info *)(const void *)(s + 1) : NULL;
}

/* Decisions are numbered from 1 in the table, and what a thread does after one of them
 * is done before the next. */
static void when(const struct hd_report *r, uint32_t step, char *buf, size_t cap)
{
    if (step == 0)
        snprintf(buf, cap, "before step 1");
    else if (step >= r->ndecisions)
        snprintf(buf, cap, "after step %u", step);
    else
        snprintf(buf, cap, "between steps %u and %u", step, step + 1);
}

static void print_site(const struct hd_text *t, const struct hd_report *r, const char *what,
                       const struct hd_heap_site *s)
{
    uint64_t pc[1 + HD_SITE_CALLS] = { s->pc };
    char who[64], time[64], head[200];
    unsigned n = 1;

    if (s->pc == 0)
        return;
    while (n <= HD_SITE_CALLS && s->calls[n - 1] != 0) {
        pc[n] = s->calls[n - 1];
        n++;
    }
    hd_describe_thread(r, s->tid, who, sizeof who);
    when(r, s->step, time, sizeof time);
    snprintf(head, sizeof head, "%s by %s %s", what, who, time);
    hd_text_calls(t, r, head, pc, n);
}

void hd_memory_text(const struct hd_text *t, const struct hd_report *r)
{
    const struct hd_block_info *b = hd_memory_block(r);

    if (b == NULL)
        return;
    print_site(t, r, "The block was allocated", &b->allocated);
    print_site(t, r, "The block was freed", &b->freed);
}
