/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_file.h - a campaign of Quicksand that can be interrupted: which searches there are and how far they are.
 * The state of each search is a file of its own (session/resume.h), whose name has the number of the search.
 *
 * F1  A search is started with the same points and the same known places as before.  So it goes on from its file, or
 *     begins again if it has none, and counts what it would have counted.
 * F2  Searches that are over are not run again.
 * F3  A campaign that begins from the start removes the files of an earlier one.  A search that begins from the start
 *     removes the file with its number: in a continued campaign, another search may have had it. */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_FILE_H

#include "campaign/search/quicksand_state.h"

/* Chooses the file; with --resume, continues from what is there.  Returns HD_EXIT_CLEAN, or another exit code after a
 * message: the program cannot be run, or the file is damaged or of another campaign. */
int hd_quicksand_file_open(struct hd_quicksand *q);

/* Saves the campaign if that is due, or `now`. */
void hd_quicksand_file_save(struct hd_quicksand *q, bool now);

/* The campaign is over: removes its files. */
void hd_quicksand_file_remove(const struct hd_quicksand *q);

void hd_quicksand_file_close(struct hd_quicksand *q);

#endif
