/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_session.h - running the program again beside a session, by a schedule that was found.
 * A process has one wire, at a fixed address: so it happens in a child, which leaves what
 * it learnt in memory that both share.  Whatever goes wrong there is the child's end, and
 * costs nothing but what it would have told. */
#ifndef HD_CAMPAIGN_CHILD_SESSION_H
#define HD_CAMPAIGN_CHILD_SESSION_H

#include <sys/types.h>

#include "campaign/session.h"

/* In the child: the session runs the schedule, if it is told to. */
typedef void hd_child_session_fn(struct hd_session *s, void *ctx);

/* Call fn in a child and wait for its end.  The child holds the user's signals back
 * (signals.h); those that come meanwhile are sent on to it, and wait here afterwards. */
void hd_child_session(const struct hd_session *s, const struct hd_schedule *schedule, hd_child_session_fn *fn,
              void *ctx);

/* n bytes that children share, zero at first and of cost only where they are used; NULL:
 * there are none. */
void *hd_child_session_memory(size_t n);

/* A child that does not outlive this process; as fork. */
pid_t hd_child_session_fork(void);

/* Wait for the child's end. */
void hd_child_session_wait(pid_t pid);

#endif
