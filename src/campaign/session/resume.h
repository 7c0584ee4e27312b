/* SPDX-License-Identifier: BSD-2-Clause
 *
 * resume.h - searches that can be interrupted: saves the state of a search now and then, and continues from it.
 *
 * Every exhaustive or sampling search of one session can use this, under any name (kept.h):
 *
 *   hd_session_open(&s, ...);
 *   hd_resume_open(&s, &at, every);      the state is kept there
 *   hd_resume_continue(&s);              to continue what is there
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

#include "campaign/session/kept.h"
#include "campaign/session/session.h"

/* Sets the place of the state.  part: number of a search that is a part of a campaign (saved.h); -1: it is none. */
void hd_resume_place(const struct hd_session *s, int part, struct hd_kept *at);

/* The session saves its state there, at intervals of at least `every` seconds.  Call it
 * before the session runs.  Does nothing if a search of this program cannot be continued in another
 * process. */
void hd_resume_open(struct hd_session *s, const struct hd_kept *at, double every);

/* Continues from the state at the place of hd_resume_open, if there is one.  Returns HD_EXIT_CLEAN, or another exit
 * code after a message if the state is damaged or belongs to another search.  Call it just before the session runs. */
int hd_resume_continue(struct hd_session *s);

/* ---- for the session ---------------------------------------------------------------------- */

/* Records the files of the program.  Call when the program runs. */
void hd_resume_started(struct hd_session *s);
/* Returns what the conductor needs to stop the workers for a copy; NULL if nothing is saved. */
const struct hd_rest *hd_resume_rest(struct hd_session *s);
/* Saves the state of a search that was interrupted or ran out of time.  Call after the targets have
 * ended. */
void hd_resume_ended(struct hd_session *s);
/* Saves the state of a search between two turns, unless it is already saved.  Returns false if it is not saved. */
bool hd_resume_park(struct hd_session *s);
/* Returns the environment of the target; NULL: that of this process. */
char *const *hd_resume_environment(const struct hd_session *s);

/* ---- afterwards --------------------------------------------------------------------------- */

/* True if the search is complete, or ended by its findings or its number of executions. */
bool hd_resume_is_over(const struct hd_session *s);
/* Removes the state, if this session has written it or continued from it. */
void hd_resume_remove(struct hd_session *s);
void hd_resume_close(struct hd_session *s);

#endif
