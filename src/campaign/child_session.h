/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_session.h - runs the program again beside a session, with a recorded schedule.  A
 * process has one wire, at a fixed address, so the run happens in a child process, which
 * leaves its results in shared memory.  If something goes wrong, only the child ends and
 * only its results are missing. */
#ifndef HD_CAMPAIGN_CHILD_SESSION_H
#define HD_CAMPAIGN_CHILD_SESSION_H

#include <sys/types.h>

#include "campaign/session.h"

/* Runs in the child; the function runs the session if it needs to. */
typedef void hd_child_session_fn(struct hd_session *s, void *ctx);

/* Call fn in a child and wait for its end.  The child blocks the user's signals
 * (signals.h); signals that arrive meanwhile are forwarded to it and stay pending here. */
void hd_child_session(const struct hd_session *s, const struct hd_schedule *schedule, hd_child_session_fn *fn,
              void *ctx);

/* n bytes of zeroed memory shared with children, allocated only where used; NULL on
 * failure. */
void *hd_child_session_memory(size_t n);

/* Like fork, but the child does not outlive this process. */
pid_t hd_child_session_fork(void);

/* Wait for the child's end. */
void hd_child_session_wait(pid_t pid);

#endif
