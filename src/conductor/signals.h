/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.h - the signals with which a user ends Heddle.  Heddle blocks them while it must finish
 * its output.  They stay pending until hd_signals_take. */
#ifndef HD_CONDUCTOR_SIGNALS_H
#define HD_CONDUCTOR_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Sets *out to SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
void hd_signals_ours(sigset_t *out);

/* Blocks these signals.  *before: the mask to restore with sigprocmask. */
void hd_signals_hold(sigset_t *before);

/* True if one of them is pending. */
bool hd_signals_wait(void);

/* Removes the pending ones.  Returns true if there was one. */
bool hd_signals_take(void);

#endif
