/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h - the words of a report: contexts, places, and the rows of the table of what happened.  The text and the HTML
 * page have the same ones. */
#ifndef HD_KERNEL_DRIVE_ROWS_H
#define HD_KERNEL_DRIVE_ROWS_H

#include "kernel/drive/session.h"

/* Writes the name of a context. */
void hd_krow_name(const struct hd_ksession *s, unsigned context, char *buf, size_t cap);
/* Writes a place in the code, for example "sema_up (sync.c:44)". */
void hd_krow_place(const struct hd_ksession *s, uint64_t pc, char *buf, size_t cap);
/* Writes the name of a variable, or of the thread in whose memory the address lies. */
void hd_krow_object(const struct hd_ksession *s, uint64_t address, char *buf, size_t cap);
/* Writes what happened. */
void hd_krow_text(const struct hd_ksession *s, const struct hd_k_log *r, char *buf, size_t cap);
/* False for idle threads, and for switches in an interrupt, which has a row of its own. */
bool hd_krow_is_shown(const struct hd_klink *l, const struct hd_k_log *r);
/* Returns the column of a context.  Idle threads and the timer have none; in Linux the number of the timer is that
 * of the main thread. */
unsigned hd_krow_lane(const struct hd_klink *l, unsigned context);

#endif
