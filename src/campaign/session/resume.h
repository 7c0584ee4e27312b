/* SPDX-License-Identifier: BSD-2-Clause
 *
 * resume.h - searches that can be interrupted: saves the state of a search now and then, and continues from it.
 *
 * Every exhaustive or sampling search of one session can use this, under any file name:
 *
 *   hd_session_open(&s, ...);
 *   hd_resume_open(&s, path, every);     the state goes to that file
 *   hd_resume_from_file(&s);             to continue what is there
 *   hd_session_run(&s, budget);          saves at intervals, and at the end if the search is not over
 *   hd_resume_remove(&s);                if it is over: see hd_resume_is_over
 *   hd_session_close(&s);
 *
 * R1  A continued search counts and finds what it would have counted and found without the interruption.  Work done
 *     after the last saved state is repeated.
 * R2  A state is continued only with the same program, libraries, arguments, options, environment and kernel
 *     (identity.h).  Limits of time and executions may differ, as may options that affect only the output.
 * R3  A search continues if its state cannot be saved.  It tells the user once. */
#ifndef HD_CAMPAIGN_SESSION_RESUME_H
#define HD_CAMPAIGN_SESSION_RESUME_H

#include "campaign/session/session.h"

/* Sets the file of the program, with its arguments and its test, in the output directory.  Returns false if the name
 * is too long. */
bool hd_resume_path(const struct hd_options *o, const char *program, char *const *argv, const char *test, char *path,
                    size_t cap);
bool hd_resume_session_path(const struct hd_session *s, char *path, size_t cap);

/* Like hd_resume_session_path, for a search that is a part of a campaign (saved.h). */
bool hd_resume_part_path(const struct hd_session *s, unsigned number, char *path, size_t cap);

/* The session saves its state to that file, at intervals of at least `every` seconds.  Call it
 * before the session runs.  Does nothing if a search of this program cannot be continued in another
 * process. */
void hd_resume_open(struct hd_session *s, const char *path, double every);

/* Continues from the file that hd_resume_open has named, if it exists.  Returns HD_EXIT_CLEAN, or another exit
 * code after a message if the file is damaged or belongs to another search.  Call it just before the session runs. */
int hd_resume_from_file(struct hd_session *s);

/* ---- for the session ---------------------------------------------------------------------- */

/* Records the files of the program.  Call when the program runs. */
void hd_resume_started(struct hd_session *s);
/* Returns what the conductor needs to stop the workers for a copy; NULL if nothing is saved. */
const struct hd_rest *hd_resume_rest(struct hd_session *s);
/* Saves the state of a search that was interrupted or ran out of time.  Call after the targets have
 * ended. */
void hd_resume_ended(struct hd_session *s);
/* Saves the state of a search between two turns, unless it is already saved. */
void hd_resume_park(struct hd_session *s);
/* Returns the environment of the target; NULL: that of this process. */
char *const *hd_resume_environment(const struct hd_session *s);

/* ---- afterwards --------------------------------------------------------------------------- */

/* True if the search is complete, or ended by its findings or its number of executions. */
bool hd_resume_is_over(const struct hd_session *s);
/* Removes the file, if this session has written it or continued from it. */
void hd_resume_remove(struct hd_session *s);
void hd_resume_close(struct hd_session *s);

#endif
