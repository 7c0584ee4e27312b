/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_threads.h - threads that are started before main, by constructors of the program
 * and of its libraries.
 *
 * E1  Such a thread is put off: nothing of it runs before main.  Its creator gets
 *     the pthread_t that it is going to have, and in every execution it exists
 *     from the beginning as a child of main that stands before its start.
 * E2  When the code before main waits, in whatever way, the threads that were put
 *     off become ordinary kernel threads, which Heddle does not control, and the
 *     verdict says so.  What is left of them when main begins is stopped for good. */
#ifndef HD_RUNTIME_CORE_EARLY_THREADS_H
#define HD_RUNTIME_CORE_EARLY_THREADS_H

#include <pthread.h>

#include "runtime/core/real.h"
#include "runtime/core/rt.h"

extern unsigned hd_early_thread_waiting __attribute__((visibility("hidden"))); /* threads that are put off */

/* pthread_create by code that runs before main. */
int hd_early_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*fn)(void *), void *arg,
                    uint64_t pc);

/* E2: the caller is about to wait. */
void hd_early_thread_run(void);
static inline void hd_early_thread_await(void)
{
    if (HD_UNLIKELY(hd_early_thread_waiting != 0))
        hd_early_thread_run();
}

/* An atomic load: so many of them are a loop that waits. */
void hd_early_thread_loaded(void);

/* In an interposer, for a caller that is not controlled: libc's own call, which
 * may wait for a thread that was put off. */
#define HD_REAL_WAIT(name)       \
    (__extension__({             \
        hd_early_thread_await();        \
        HD_REAL(name);           \
    }))

/* Before main: the kernel thread that this pthread_t stands for, started now if it
 * was put off. */
pthread_t hd_early_thread_awaited(pthread_t thread);
/* ... and it was joined, when error is 0; gives back error. */
int hd_early_thread_joined(pthread_t thread, int error);
/* Before main: pthread_detach and pthread_setname_np. */
int hd_early_thread_detach(pthread_t thread);
int hd_early_thread_name(pthread_t thread, const char *name);

/* Once, when all constructors have run. */
void hd_early_thread_settle(void);
/* An execution begins: main is there. */
void hd_early_thread_begin(struct hd_thread *main);
/* Study: the threads' first steps, in main's fiber. */
void hd_early_thread_start_eagerly(void);

/* In an execution: was the thread stopped (E2) and may it be joined or detached?
 * The call then succeeds; *value is what it returned, as far as that is known. */
bool hd_early_thread_is_gone(pthread_t thread, void **value);

#endif
