/* SPDX-License-Identifier: BSD-2-Clause
 *
 * itm_alone.h - GNU TM transactions of a program that was built with `heddle cc` and runs without Heddle: one lock
 * makes them exclusive.  They cannot be undone there, so a transaction that cancels itself ends the program with a
 * message. */
#ifndef HD_RUNTIME_WATCH_ITM_ALONE_H
#define HD_RUNTIME_WATCH_ITM_ALONE_H

void hd_itm_alone_begin(void);
void hd_itm_alone_commit(void);
_Noreturn void hd_itm_alone_cancel(void);
/* A transaction registers a function for its end: ends the program with a message. */
_Noreturn void hd_itm_alone_act(void);

#endif
