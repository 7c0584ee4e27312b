/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page.h - the HTML report of a session (--html). */
#ifndef HD_CLI_PAGE_H
#define HD_CLI_PAGE_H

#include "cli/session.h"

/* Is it asked for, and can it be written?  False after having said why not. */
bool hd_page_open(struct hd_session *s);
void hd_page_close(struct hd_session *s);

/* Keep what the page will show of a finding; the first ones in full. */
void hd_page_add(struct hd_session *s, const struct hd_report *r,
                 const struct hd_result_finding *kept);

/* Write it, if asked for; false after having said why not. */
bool hd_page_write(const struct hd_session *s, const struct hd_result *r);

#endif
