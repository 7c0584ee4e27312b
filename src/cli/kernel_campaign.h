/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_campaign.h - `heddle kernel run` with a campaign: several processes divide the executions of a sampling search
 * (store/store.h).  Each boots its own machine once and keeps it for all its leases. */
#ifndef HD_CLI_KERNEL_CAMPAIGN_H
#define HD_CLI_KERNEL_CAMPAIGN_H

#include "campaign/setup/options.h"
#include "kernel/drive/session.h"

/* Creates or joins the campaign, works on it until it is over, and prints the result of all workers.  Returns an exit
 * code. */
int hd_kernel_campaign(const struct hd_options *o, const struct hd_kernel_request *r);

#endif
