/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.h - texts for transactions: whether they were aborted, with which status, and which thread caused
 * it. */
#ifndef HD_REPORT_EVIDENCE_TRANSACTION_H
#define HD_REPORT_EVIDENCE_TRANSACTION_H

#include "report/evidence/describe.h"
#include "report/evidence/report.h"

/* True if the event only says that a transaction was not aborted or has ended: its row is not shown. */
bool hd_transaction_is_silent(const struct hd_event *e);

/* Fills *o.  Returns false if the event is not an outcome of a transaction. */
bool hd_transaction_parts(const struct hd_report *r, const struct hd_event *e, bool pending, struct hd_operation *o);

#endif
