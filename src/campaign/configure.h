/* SPDX-License-Identifier: BSD-2-Clause
 *
 * configure.h - the configuration of a target from the options of the command line. */
#ifndef HD_CAMPAIGN_CONFIGURE_H
#define HD_CAMPAIGN_CONFIGURE_H

#include "campaign/options.h"

/* Set the strategy and everything that follows from it.  name may have a reducer. */
void hd_configure_strategy(struct hd_config *c, const char *name, const char *params);

void hd_configure(struct hd_config *c, const struct hd_options *o);

/* Does a search with that strategy offer a choice also where the fault bound leaves one
 * alternative only?  A reduction must, because whether there is a choice may not depend on
 * the order of independent steps; a cache of states need not. */
bool hd_configure_offers_all(const char *strategy);

#endif
