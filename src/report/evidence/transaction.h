/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.h - texts for transactions: whether they were aborted, with which status, because of whom. */
#ifndef HD_REPORT_EVIDENCE_TRANSACTION_H
#define HD_REPORT_EVIDENCE_TRANSACTION_H

#include "report/evidence/describe.h"
#include "report/evidence/report.h"

/* True if the event says only that a transaction was not aborted, or that it ended: rows without news. */
bool hd_transaction_is_silent(const struct hd_event *e);

/* Fills *o.  Returns false if the event is no outcome of a transaction. */
bool hd_transaction_parts(const struct hd_report *r, const struct hd_event *e, bool pending, struct hd_operation *o);

#endif
