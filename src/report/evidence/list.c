/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.c - adds call stacks to the evidence of a finding. */
#include "report/evidence/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/evidence/stack.h"

enum { MAX_DEPTH = 2 * HD_MAX_FRAMES };

struct hd_evidence hd_evidence_titled(enum hd_role role, hd_tid tid, const char *title)
{
    struct hd_evidence e = { .role = role, .tid = tid, .blamed = hd_role_is_part(role) };

    snprintf(e.title, sizeof e.title, "%s", title);
    snprintf(e.heading, sizeof e.heading, "%s", title);
    return e;
}

static void add(struct hd_evidence_list *l, const struct hd_evidence *e,
                const struct hd_frame *frames, unsigned n)
{
    if (n == 0)
        return;
    struct hd_evidence *added = HD_PUSH(l->all, l->n);

    *added = *e;
    added->n = n;
    added->frames = hd_zeroed(n, sizeof *frames);
    memcpy(added->frames, frames, n * sizeof *frames);
}

void hd_evidence_stopped(struct hd_evidence_list *l, const struct hd_report *r,
                         const struct hd_evidence *e, uint64_t pc)
{
    struct hd_frame f[MAX_DEPTH];

    add(l, e, f, hd_stack_frames(r, e->tid, pc, f, MAX_DEPTH));
}

void hd_evidence_captured(struct hd_evidence_list *l, const struct hd_report *r,
                          const struct hd_evidence *e, const struct hd_capture *c)
{
    struct hd_frame f[MAX_DEPTH];

    add(l, e, f, hd_stack_captured_frames(r, c, f, MAX_DEPTH));
}

void hd_evidence_calls(struct hd_evidence_list *l, const struct hd_report *r,
                       const struct hd_evidence *e, const uint64_t *pcs, unsigned n)
{
    struct hd_frame f[MAX_DEPTH];

    if (n > 0 && pcs[0] != 0)
        add(l, e, f, hd_stack_call_frames(r, pcs, n, f, MAX_DEPTH));
}

const struct hd_evidence *hd_evidence_find(const struct hd_evidence_list *l, enum hd_role role)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].role == role)
            return &l->all[i];
    return NULL;
}

static bool same_frame(const struct hd_frame *a, const struct hd_frame *b)
{
    return a->offset == b->offset && a->line == b->line && strcmp(a->module, b->module) == 0 &&
           strcmp(a->function, b->function) == 0;
}

bool hd_evidence_same_stack(const struct hd_evidence *a, const struct hd_evidence *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (!same_frame(&a->frames[i], &b->frames[i]))
            return false;
    return true;
}

void hd_evidence_free(struct hd_evidence_list *l)
{
    for (unsigned i = 0; i < l->n; i++)
        free(l->all[i].frames);
    free(l->all);
    *l = (struct hd_evidence_list){ .n = 0 };
}
