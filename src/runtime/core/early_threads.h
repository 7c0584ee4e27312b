/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_threads.h - threads that constructors of the program and of its libraries start before
 * main.
 *
 * E1  Heddle defers such a thread: none of its code runs before main.  Its creator gets the
 *     pthread_t that the thread will have.  In every execution the thread exists from the beginning
 *     as a child of main that has not started yet.
 * E2  When the code before main waits in any way, the deferred threads become ordinary kernel threads.  Heddle
 *     does not control these, and the verdict says so.  When main begins, Heddle permanently stops those that
 *     still run. */
#ifndef HD_RUNTIME_CORE_EARLY_THREADS_H
#define HD_RUNTIME_CORE_EARLY_THREADS_H

#include <pthread.h>

#include "base/check.h"
#include "runtime/core/real.h"
#include "runtime/core/thread_state.h"

extern unsigned hd_early_thread_waiting __attribute__((visibility("hidden"))); /* deferred threads */

/* pthread_create for code that runs before main. */
int hd_early_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*fn)(void *), void *arg,
                    uint64_t pc);

/* E2: starts the deferred threads as kernel threads.  Called when the caller is about to wait. */
void hd_early_thread_run(void);
static inline void hd_early_thread_await(void)
{
    if (HD_UNLIKELY(hd_early_thread_waiting != 0))
        hd_early_thread_run();
}

/* Counts an atomic load before main.  Very many loads count as a loop that waits (E2). */
void hd_early_thread_loaded(void);

/* In an interposer whose caller is not controlled: libc's own function, which may wait for a deferred thread. */
#define HD_REAL_WAIT(name)       \
    (__extension__({             \
        hd_early_thread_await();        \
        HD_REAL(name);           \
    }))

/* Before main: returns the pthread_t of the kernel thread for `thread`. Starts the thread if it is
 * deferred. */
pthread_t hd_early_thread_awaited(pthread_t thread);
/* Before main: marks the thread as joined if error is 0.  Returns error. */
int hd_early_thread_joined(pthread_t thread, int error);
/* Before main: pthread_detach and pthread_setname_np. */
int hd_early_thread_detach(pthread_t thread);
int hd_early_thread_name(pthread_t thread, const char *name);

/* Called once, when all constructors have run: stops the kernel threads of E2.  Collects the results
 * of those that have ended. */
void hd_early_thread_settle(void);
/* Called when an execution begins, after main was created: creates the deferred threads. */
void hd_early_thread_begin(struct hd_thread *main);
/* Study: runs each deferred thread up to its first operation.  Called on main's fiber. */
void hd_early_thread_start_eagerly(void);

/* In an execution: returns true if the thread became a kernel thread (E2) and may still be joined
 * or detached.  That call then succeeds. *value is the thread's result if it ended before main,
 * else NULL. */
bool hd_early_thread_is_gone(pthread_t thread, void **value);

#endif
