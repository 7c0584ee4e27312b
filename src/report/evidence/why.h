/* SPDX-License-Identifier: BSD-2-Clause
 *
 * why.h - the cause of a failure as one sentence. */
#ifndef HD_REPORT_EVIDENCE_WHY_H
#define HD_REPORT_EVIDENCE_WHY_H

#include "model/cause.h"
#include "report/evidence/describe.h"
#include "report/evidence/variables.h"
#include "report/print/text.h"

/* Fills *out with the sentence for the cause, and with the events that the sentence names. */
void hd_why_tell(const struct hd_report *r, const struct hd_cause *c, struct hd_explanation *out);

/* True if there is no sentence, or if the message of the finding says the same: the two accesses of a race, or the
 * free and the use. */
bool hd_why_is_told(const struct hd_report *r);

/* The accesses through which the order of the events affects the outcome: a write, and a read by another thread.
 * hd_why_effect returns false if none are known. */
struct hd_effect {
    const struct hd_plain_access *write, *read;
    bool stale; /* the read comes before the write */
};
bool hd_why_effect(const struct hd_report *r, const struct hd_variables *v, struct hd_effect *out);

/* Writes the sentence, with the value through which the order affects the outcome if that is known.  Writes "" if
 * hd_why_is_told. */
enum { HD_WHY_MAX = 1400 };
void hd_why_sentence(const struct hd_report *r, char *buf, size_t cap);

/* Prints "why: ..."  on separate lines, unless hd_why_is_told. */
void hd_why_text(const struct hd_text *t, const struct hd_report *r);

#endif
