/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mail.h - texts for messages (<heddle/mail.h>): name, sender and receiver. */
#ifndef HD_REPORT_EVIDENCE_MAIL_H
#define HD_REPORT_EVIDENCE_MAIL_H

#include "report/evidence/report.h"

/* True if the event sends a message to a known thread. */
bool hd_mail_is_message(const struct hd_event *e);
/* True if the event, a message, tells its receiver that its node has crashed (<heddle/actor.h>). */
bool hd_mail_is_crash(const struct hd_report *r, const struct hd_event *e);
/* Returns the failure because of which a crash (hd_mail_is_crash) tells this receiver. */
const struct hd_event *hd_mail_failure(const struct hd_report *r, const struct hd_event *crash);
/* True if the event is a failure that ends actors: the crashes after it show which. */
bool hd_mail_ends_actors(const struct hd_report *r, const struct hd_event *e);
/* Writes the name of the message that the event sends; "" if it is unknown. */
void hd_mail_name(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap);

/* Returns the event that sent the message which the event (a receive) took, or NULL. */
const struct hd_event *hd_mail_sent(const struct hd_report *r, const struct hd_event *receive);

/* Writes "send add to" or "receive add from", and the other thread.  Returns false if the event is neither, or if
 * message and thread are unknown. */
bool hd_mail_parts(const struct hd_report *r, const struct hd_event *e, bool pending, char *verb, size_t verb_cap,
                      char *who, size_t who_cap);

#endif
