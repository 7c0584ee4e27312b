/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.h - texts for the threads, objects and operations of a finding.  Every `buf` gets a
 * string that ends with NUL within `cap` bytes. */
#ifndef HD_REPORT_EVIDENCE_DESCRIBE_H
#define HD_REPORT_EVIDENCE_DESCRIBE_H

#include "model/schedule.h"
#include "report/evidence/report.h"

/* Writes the message of the finding, with names in place of the object numbers in it. */
void hd_describe_message(const struct hd_report *r, char *buf, size_t cap);

/* Writes "main", "T1", or "T1 (reader)" if the thread has a name. */
void hd_describe_thread(const struct hd_report *r, hd_tid tid, char *buf, size_t cap);
/* Writes "main", "T1", or "?" for HD_NO_TID. */
void hd_describe_tid(hd_tid tid, char *buf, size_t cap);

/* True if an event whose kind is input or output sends a signal or waits for one. */
bool hd_describe_is_signal(const struct hd_report *r, const struct hd_event *e);

/* Writes the name of the object: "lock_a"; "" for object 0. */
void hd_describe_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap);
/* Writes the type and the name: "mutex lock_a". */
void hd_describe_typed_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap);

/* True if a thread can hold the object like a lock.  False for barriers: the holds list also
 * contains each barrier at which a thread has arrived. */
bool hd_report_is_lock(const struct hd_report *r, uint32_t obj);

/* The text of an operation in parts, in the order in which they are printed.  A format with little
 * room drops the value first. */
struct hd_operation {
    char verb[64];
    char object[256];
    char value[64];
    const char *outcome;
};

/* Fills *o for an event, or for a pending operation.  A pending operation has no value and no
 * outcome yet. */
void hd_describe_parts(const struct hd_report *r, const struct hd_event *e, bool pending,
                       struct hd_operation *o);
int hd_describe_join(const struct hd_operation *o, char *buf, size_t cap);

/* Writes an event: "lock lock_a", "load flag = 1", "join T2". */
void hd_describe_operation(const struct hd_report *r, const struct hd_event *e, char *buf,
                           size_t cap);
/* Writes a pending operation: "load flag". */
void hd_describe_pending(const struct hd_report *r, const struct hd_event *e, char *buf,
                         size_t cap);

/* Returns the call that a fault choice concerns: "malloc", "wait", "trylock". */
const char *hd_fault_call(const struct hd_event *e);
/* Returns what a fault that was taken did to the call: "failed", "ended with EINTR". */
const char *hd_fault_outcome(const struct hd_event *e);

/* Why the scheduler switched threads between two consecutive events of different threads.
 * hd_describe_switch returns it for `before` and `now`, the events before and after the switch. */
enum hd_switch { HD_SWITCH_PREEMPTED, HD_SWITCH_BLOCKED, HD_SWITCH_YIELDED, HD_SWITCH_FINISHED };
enum hd_switch hd_describe_switch(const struct hd_event *before, const struct hd_event *now);

/* Returns the source position of the operation, "" if it is unknown.  The string is valid as
 * hd_symbols_site says. */
const char *hd_describe_site(const struct hd_report *r, const struct hd_event *e);

/* Stores for each decision the event of the operation that it let run: out has ndecisions elements.
 * NULL: the record does not contain it.  r->finding is NULL for a whole execution. */
void hd_report_step_events(const struct hd_report *r, const struct hd_event **out);

/* Fills in the parts of a schedule that the finding determines: slots, threads, steps, kind,
 * message, execution, preemptions. */
void hd_report_schedule(const struct hd_report *r, struct hd_schedule *s);

/* Writes the build id of a module as hexadecimal digits. */
void hd_describe_build_id(const uint8_t *id, uint32_t len, char *buf, size_t cap);

#endif
