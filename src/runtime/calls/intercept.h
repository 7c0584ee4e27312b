/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept.h - steps that interposers of several families share, and entry points of one family
 * that another family uses. */
#ifndef HD_RUNTIME_CALLS_INTERCEPT_H
#define HD_RUNTIME_CALLS_INTERCEPT_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "model/awaits.h"
#include "runtime/core/acting.h"
#include "runtime/core/entry.h"
#include "runtime/core/event_words.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/core/time.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/compiler.h"

/* ---- the caller in the target's code --------------------------------------------------- */

/* The place in the target's code that made the call.  The direct caller of an interposer may be
 * another interposer (mtx_lock calls pthread_mutex_lock).  Reports and the recognition of polling
 * loops need the place in the target. */
#define HD_PC hd_target_pc(HD_RETURN_PC)

/* ---- macros for rows of calls.def that several families use ------------------------ */

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

/* POLLS: a call that a loop may repeat to wait for other threads.  WAITS: a call that also waits
 * for a thread when it is made before main (HD_REAL_WAIT is in early_threads.h). */
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

/* Makes the call, notes its `accesses` to memory of the caller, and evaluates to its result.  The accesses may use
 * `result` and `pc`. */
#define NOTED(call, accesses)                         \
    (__extension__({                                  \
        __auto_type called_ = (call);                 \
        __auto_type result = called_;                 \
        uint64_t pc = HD_PC;                          \
                                                      \
        (void)result;                                 \
        if (hd_watched(pc))                           \
            accesses;                                 \
        called_;                                      \
    }))

#define MEETS_AS CONTROLLED
#define WRITTEN(name)
#define MEETS(name)

/* ---- steps that families share -------------------------------------------------- */

/* Decides whether the program can delete keys.  Call it before the first execution. */
void hd_keys_init(void);
/* Runs the destructors of the running thread's key values.  Call it when the thread ends, in that
 * thread. */
void hd_keys_run_destructors(void);

/* The model of pthread_once and call_once. */
void hd_once(int *control, void (*routine)(void), uint64_t pc);

/* Stores `owner`, the thread that holds the wanted object, in the pending event, unless the event has a key
 * (progress/await.h). */
static inline void hd_name_owner(hd_tid owner)
{
    if (!hd_event_awaits(hd_pending()))
        hd_event_set_peer(hd_pending(), owner);
}

#endif
