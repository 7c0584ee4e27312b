/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept.h - the few steps that interposers of several families share, and entry
 * points of one family that another one builds on. */
#ifndef HD_RUNTIME_CALLS_INTERCEPT_H
#define HD_RUNTIME_CALLS_INTERCEPT_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/core/acting.h"
#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include "runtime/core/thread.h"
#include "runtime/core/time.h"

/* ---- whose call it is --------------------------------------------------------- */

/* In an interposer the caller may be another interposer (mtx_lock is made of
 * pthread_mutex_lock); reports, and the recognition of polling loops, need the
 * place in the target's code. */
#define HD_PC hd_target_pc(HD_RETURN_PC)

/* ---- shapes of rows in calls.def that several families use ------------------------ */

#define CONTROLLED(type, name, params, args, result) \
    HD_EXPORT type name params                       \
    {                                                \
        if (hd.cur == NULL)                          \
            return HD_REAL(name) args;               \
        return result;                               \
    }

#define ALWAYS(type, name, params, args, result) \
    HD_EXPORT type name params                   \
    {                                            \
        return result;                           \
    }

/* A call that loops may make to wait for other threads; and one that waits for a thread before main, too
 * (HD_REAL_WAIT is early_threads.h's). */
#define POLLS(type, name, params, args, result) POLLS_BY(type, name, params, HD_REAL(name) args, result)
#define WAITS(type, name, params, args, result) POLLS_BY(type, name, params, HD_REAL_WAIT(name) args, result)
#define POLLS_BY(type, name, params, real, result) \
    HD_POLL_ENTRY(name);                           \
    type hd_impl_##name params                     \
    {                                              \
        if (hd.cur == NULL)                        \
            return real;                           \
        return result;                             \
    }

#define MEETS_AS CONTROLLED
#define WRITTEN(name)
#define MEETS(name)

/* ---- steps that families share -------------------------------------------------- */

/* Before the first execution: can keys be deleted? */
void hd_keys_init(void);
/* At the end of a thread, in that thread: destructors of its keys' values. */
void hd_keys_run_destructors(void);

/* pthread_once and call_once. */
void hd_once(int *control, void (*routine)(void), uint64_t pc);

/* o is taken: name the thread that was in the way in the event to come. */
static inline void hd_blame(hd_tid owner)
{
    hd_pending()->peer = owner;
}

#endif
