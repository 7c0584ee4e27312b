/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_file.h - saves a Quicksand campaign so that it can be continued: the list of its searches and the
 * progress of each.  The state of each search is a file of its own (session/resume.h), whose name contains the number
 * of the search.
 *
 * F1  A search is started with the same points and the same known places as before.  So it continues from its file,
 *     or begins again if it has none.  It counts the same executions as without the interruption.
 * F2  Searches that are over are not run again.
 * F3  A campaign that begins from the start removes the files of an earlier one.  A search that begins from the
 *     start removes the file with its number: before the interruption another search may have had this number. */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H

#include "campaign/search/quicksand_state.h"

/* Chooses the file; with --resume, continues from an existing one.  Returns HD_EXIT_CLEAN, or another exit code after
 * a message: the program cannot be run, or the file is damaged or of another campaign. */
int hd_quicksand_file_open(struct hd_quicksand *q);

/* Saves the campaign if that is due or `now` is true. */
void hd_quicksand_file_save(struct hd_quicksand *q, bool now);

/* Removes the files of the campaign, which is over. */
void hd_quicksand_file_remove(const struct hd_quicksand *q);

void hd_quicksand_file_close(struct hd_quicksand *q);

#endif
