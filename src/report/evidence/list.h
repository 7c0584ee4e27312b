/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.h - the evidence of a finding: call stacks, each with its thread and its role in the
 * finding.  gather.h makes the list.  All formats of reports and the suppressions read it. */
#ifndef HD_REPORT_EVIDENCE_LIST_H
#define HD_REPORT_EVIDENCE_LIST_H

#include "report/evidence/report.h"

enum hd_role {
    /* the finding itself */
    HD_ROLE_SECOND_ACCESS, /* the accesses of a race */
    HD_ROLE_FIRST_ACCESS,
    HD_ROLE_STOPPED, /* a thread that is blocked or loops */
    HD_ROLE_FAILS,   /* the thread that fails */
    HD_ROLE_BLOCK,   /* the allocation or the release of the heap block */
    /* the history of the finding */
    HD_ROLE_TOOK,      /* the acquisition of a lock for which another thread waits */
    HD_ROLE_EVENT,     /* a decisive event */
    HD_ROLE_ALLOCATED, /* the allocation of the memory of a race */
    HD_ROLE_CREATED,   /* the creation of a thread */
};

struct hd_evidence {
    enum hd_role role;
    hd_tid tid;       /* the thread of the stack; HD_NO_TID: unknown */
    bool blamed;      /* findings whose blamed stacks are equal are the same finding */
    bool grouped;     /* same stack as an earlier entry, whose heading also names this thread */
    char heading[400]; /* printed above the stack: "Stack of T1, T2", "Second access, by T2" */
    char title[400];   /* for an entry that is listed alone: "T1 waits: lock m" */
    struct hd_frame *frames; /* innermost first, at least one */
    unsigned n;
};

struct hd_evidence_list {
    struct hd_evidence *all;
    unsigned n;
};

/* True if the role belongs to the finding itself, false if it belongs to its history. */
static inline bool hd_role_is_part(enum hd_role role)
{
    return role <= HD_ROLE_BLOCK;
}

/* Each function appends a copy of *e with its frames, unless there are none.  The frames are those
 * of thread e->tid, which stopped at pc (hd_evidence_stopped), of a stack that was captured
 * (hd_evidence_captured), or of n return addresses, innermost first (hd_evidence_calls). */
void hd_evidence_stopped(struct hd_evidence_list *l, const struct hd_report *r,
                         const struct hd_evidence *e, uint64_t pc);
void hd_evidence_captured(struct hd_evidence_list *l, const struct hd_report *r,
                          const struct hd_evidence *e, const struct hd_capture *c);
void hd_evidence_calls(struct hd_evidence_list *l, const struct hd_report *r,
                       const struct hd_evidence *e, const uint64_t *pcs, unsigned n);

/* Returns an entry without frames.  `title` also becomes its heading. */
struct hd_evidence hd_evidence_titled(enum hd_role role, hd_tid tid, const char *title);

/* Returns the first entry with that role, or NULL. */
const struct hd_evidence *hd_evidence_find(const struct hd_evidence_list *l, enum hd_role role);

/* True if both have the same frames. */
bool hd_evidence_same_stack(const struct hd_evidence *a, const struct hd_evidence *b);

void hd_evidence_free(struct hd_evidence_list *l);

/* Prints the member "stacks": all evidence of the finding.  Defined in report/json/stacks_json.c. */
struct hd_json;
void hd_stacks_json(struct hd_json *j, const struct hd_report *r);

#endif
