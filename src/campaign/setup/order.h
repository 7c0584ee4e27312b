/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.h - computes the happens-before order of an execution, as the race detector sees it, for the pictures in
 * reports.  (The modules of reports know only the events; they may not use the detector.) */
#ifndef HD_CAMPAIGN_SETUP_ORDER_H
#define HD_CAMPAIGN_SETUP_ORDER_H

#include "report/verdict/format.h"

/* Returns the happens-before edges between different threads, sorted by their target.  Omits edges
 * that follow from others.  The caller frees the result with hd_order_free. */
struct hd_order hd_order_of(const struct hd_event *events, uint32_t n);
void hd_order_free(struct hd_order *order);

#endif
