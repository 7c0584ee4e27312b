/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.h - what happens before what in an execution, as the race detector sees it: for
 * pictures.  (A report knows only the events; it may not use the detector itself.) */
#ifndef HD_CAMPAIGN_ORDER_H
#define HD_CAMPAIGN_ORDER_H

#include "report/verdict/format.h"

/* The edges between different threads, ordered by their ends; those that follow from
 * others are left out.  To be freed with hd_order_free. */
struct hd_order hd_order_of(const struct hd_event *events, uint32_t n);
void hd_order_free(struct hd_order *order);

#endif
