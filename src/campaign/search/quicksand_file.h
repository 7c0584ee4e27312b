/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_file.h - saves a Quicksand campaign so that it can be continued: the list of its searches and the
 * progress of each.  The state of each search is kept beside it (session/resume.h), under a name that contains the number
 * of the search.
 *
 * F1  A search is started with the same points and the same known places as before.  So it continues from its state,
 *     or begins again if it has none.  It counts the same executions as without the interruption.
 * F2  Searches that are over are not run again.
 * F3  A campaign that begins from the start removes the states of an earlier one.  A search that begins from the
 *     start removes the state with its number: before the interruption another search may have had this number. */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H

#include "campaign/search/quicksand_state.h"

/* Chooses the place; with --resume, continues from an existing one.  Returns HD_EXIT_CLEAN, or another exit code after
 * a message: the program cannot be run, or the state is damaged or of another campaign. */
int hd_quicksand_file_open(struct hd_quicksand *q);

/* Saves the campaign if that is due or `now` is true. */
void hd_quicksand_file_save(struct hd_quicksand *q, bool now);

/* Removes the states of the campaign, which is over. */
void hd_quicksand_file_remove(const struct hd_quicksand *q);

void hd_quicksand_file_close(struct hd_quicksand *q);

#endif
