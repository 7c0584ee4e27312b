/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.h - the signals with which a user ends Heddle.  They are blocked while Heddle
 * must finish its output, and stay pending until they are taken. */
#ifndef HD_CAMPAIGN_SIGNALS_H
#define HD_CAMPAIGN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP, SIGQUIT. */
void hd_signals_ours(sigset_t *out);

/* Block them; *before is the mask to restore by sigprocmask. */
void hd_signals_hold(sigset_t *before);

/* Is one of them pending? */
bool hd_signals_wait(void);

/* The same, and remove the pending signals. */
bool hd_signals_take(void);

#endif
