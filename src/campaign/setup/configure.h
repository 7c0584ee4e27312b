/* SPDX-License-Identifier: BSD-2-Clause
 *
 * configure.h - derives the configuration of a target from the options of the command line. */
#ifndef HD_CAMPAIGN_SETUP_CONFIGURE_H
#define HD_CAMPAIGN_SETUP_CONFIGURE_H

#include "campaign/setup/options.h"

/* Sets the strategy and the fields that depend on it.  name may contain a reducer ("dfs+cache"). */
void hd_configure_strategy(struct hd_config *c, const char *name, const char *params);

void hd_configure(struct hd_config *c, const struct hd_options *o);

/* True if a search with this strategy must offer the choice of a fault even where the fault bound
 * permits only one alternative.  A reduction must: whether a choice exists may not depend on the
 * order of independent steps.  A cache of states need not. */
bool hd_configure_offers_all(const char *strategy);

#endif
