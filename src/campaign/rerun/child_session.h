/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_session.h - runs the program again, with a recorded schedule, while a session exists.  A process has one
 * wire, at a fixed address, so the run happens in a child process, which writes its results to shared memory.  If
 * the run fails, only the child ends, and only its results are missing. */
#ifndef HD_CAMPAIGN_RERUN_CHILD_SESSION_H
#define HD_CAMPAIGN_RERUN_CHILD_SESSION_H

#include <sys/types.h>

#include "campaign/session/session.h"

/* A function that runs in the child, with a session that is open for the schedule and has no
 * listener.  It calls hd_session_run itself if it needs an execution. */
typedef void hd_child_session_fn(struct hd_session *s, void *ctx);

/* Calls fn in a child process and waits for the end of the child.  The user's signals (signals.h)
 * are blocked in both processes meanwhile.  This function forwards those that arrive to the child
 * and then raises the last one again, before it restores the caller's mask.  It does not call fn if
 * the turn to change files could not be taken (runtime/restore/file_turns.h) or the child could not
 * open the session. */
void hd_child_session(const struct hd_session *s, const struct hd_schedule *schedule, hd_child_session_fn *fn,
              void *ctx);

/* Returns n bytes of zeroed memory that children share, or NULL on failure.  The kernel allocates a
 * page when it is first used. */
void *hd_child_session_memory(size_t n);

/* Like fork, but the kernel kills the child when this process ends. */
pid_t hd_child_session_fork(void);

/* Waits for the end of the child.  Does nothing if pid is not positive. */
void hd_child_session_wait(pid_t pid);

#endif
