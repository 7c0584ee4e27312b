/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.h - the evidence of a finding: call stacks, each with its thread and its part in the
 * finding.  gather.h makes the list, all formats of reports and suppressions read it. */
#ifndef HD_REPORT_EVIDENCE_LIST_H
#define HD_REPORT_EVIDENCE_LIST_H

#include "report/evidence/report.h"

enum hd_role {
    /* what the finding consists of */
    HD_ROLE_SECOND_ACCESS, /* of a race */
    HD_ROLE_FIRST_ACCESS,
    HD_ROLE_STOPPED, /* a thread that cannot get further */
    HD_ROLE_FAILS,   /* the thread that fails */
    HD_ROLE_BLOCK,   /* the heap block was allocated or freed */
    /* what led to it */
    HD_ROLE_TOOK,      /* a lock that another thread waits for was taken */
    HD_ROLE_EVENT,     /* a decisive event */
    HD_ROLE_ALLOCATED, /* the memory of a race */
    HD_ROLE_CREATED,   /* a thread */
};

struct hd_evidence {
    enum hd_role role;
    hd_tid tid;       /* whose stack it is; HD_NO_TID: unknown */
    bool blamed;      /* the finding is the same one as long as this is the same */
    bool grouped;     /* the heading of an earlier one covers it: the same stack */
    char heading[400]; /* over the stack: "Stack of T1, T2", "Second access, by T2" */
    char title[400];   /* the same where it is alone in a list: "T1 waits: lock m" */
    struct hd_frame *frames; /* innermost first, at least one */
    unsigned n;
};

struct hd_evidence_list {
    struct hd_evidence *all;
    unsigned n;
};

/* Is it a part of the finding itself, rather than of its history? */
static inline bool hd_role_is_part(enum hd_role role)
{
    return role <= HD_ROLE_BLOCK;
}

/* One more, unless it has no frame: with the stack of a thread that has stopped, of one that
 * was captured, or of places that each follow a call. */
void hd_evidence_stopped(struct hd_evidence_list *l, const struct hd_report *r,
                         const struct hd_evidence *e, uint64_t pc);
void hd_evidence_captured(struct hd_evidence_list *l, const struct hd_report *r,
                          const struct hd_evidence *e, const struct hd_capture *c);
void hd_evidence_calls(struct hd_evidence_list *l, const struct hd_report *r,
                       const struct hd_evidence *e, const uint64_t *pcs, unsigned n);

/* One with that role, thread and title, which is the heading, too. */
struct hd_evidence hd_evidence_titled(enum hd_role role, hd_tid tid, const char *title);

/* The first with that role, or NULL. */
const struct hd_evidence *hd_evidence_find(const struct hd_evidence_list *l, enum hd_role role);

/* Do both have the same frames? */
bool hd_evidence_same_stack(const struct hd_evidence *a, const struct hd_evidence *b);

void hd_evidence_free(struct hd_evidence_list *l);

#endif
