/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.h - the names of threads, objects and operations of a finding. */
#ifndef HD_REPORT_EVIDENCE_DESCRIBE_H
#define HD_REPORT_EVIDENCE_DESCRIBE_H

#include "model/schedule.h"
#include "report/evidence/report.h"

/* The message of the finding, with the names of the objects in it. */
void hd_describe_message(const struct hd_report *r, char *buf, size_t cap);

/* "main", "T1", or "T1 (reader)" when it has a name. */
void hd_describe_thread(const struct hd_report *r, hd_tid tid, char *buf, size_t cap);
/* "main" or "T1". */
void hd_describe_tid(hd_tid tid, char *buf, size_t cap);

/* Is this input or output that is none: a signal that is sent, or waited for? */
bool hd_describe_is_signal(const struct hd_report *r, const struct hd_event *e);

/* "lock_a"; "" for object 0. */
void hd_describe_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap);
/* "mutex lock_a". */
void hd_describe_typed_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap);

/* Can that be held?  A barrier is among the holds of those who have come to it. */
bool hd_report_is_lock(const struct hd_report *r, uint32_t obj);

/* An operation, in the parts that go after each other; who has little room leaves the
 * value out first. */
struct hd_operation {
    char verb[64];
    char object[256];
    char value[64];
    const char *outcome;
};

/* What has been done or, of a pending operation, is to be: then nothing is known of how
 * it ends and what it reads. */
void hd_describe_parts(const struct hd_report *r, const struct hd_event *e, bool pending,
                       struct hd_operation *o);
int hd_describe_join(const struct hd_operation *o, char *buf, size_t cap);

/* "lock lock_a", "load flag = 1", "join T2". */
void hd_describe_operation(const struct hd_report *r, const struct hd_event *e, char *buf,
                           size_t cap);
/* "load flag" */
void hd_describe_pending(const struct hd_report *r, const struct hd_event *e, char *buf,
                         size_t cap);

/* " = 7": a value of so many bytes, at most 8, as it is shown. */
void hd_describe_value(const struct hd_report *r, uint64_t value, unsigned bytes, char *buf, size_t cap);

/* What a fault choice is about: "malloc", "wait", "trylock". */
const char *hd_fault_call(const struct hd_event *e);
/* What a fault that was taken did to it. */
const char *hd_fault_outcome(const struct hd_event *e);

/* Why the thread of the first event was left for that of the second, which follows it. */
enum hd_switch { HD_SWITCH_PREEMPTED, HD_SWITCH_BLOCKED, HD_SWITCH_YIELDED, HD_SWITCH_FINISHED };
enum hd_switch hd_describe_switch(const struct hd_event *before, const struct hd_event *now);

/* Where in the source the operation is; "" unknown. */
const char *hd_describe_site(const struct hd_report *r, const struct hd_event *e);

/* Fill in what the finding knows of a schedule: slots, threads, steps, kind,
 * message, execution, preemptions. */
void hd_report_schedule(const struct hd_report *r, struct hd_schedule *s);

/* The build id of a module as hexadecimal digits. */
void hd_describe_build_id(const uint8_t *id, uint32_t len, char *buf, size_t cap);

#endif
