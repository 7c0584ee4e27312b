/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.h - the signals with which a user ends Heddle, held back while something must be
 * told at its end: they wait until somebody takes them. */
#ifndef HD_CAMPAIGN_SIGNALS_H
#define HD_CAMPAIGN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP. */
void hd_signals_ours(sigset_t *out);

/* From here on they wait; *before is for sigprocmask, afterwards. */
void hd_signals_hold(sigset_t *before);

/* Does one of them wait? */
bool hd_signals_wait(void);

/* The same, and it waits no longer. */
bool hd_signals_take(void);

#endif
