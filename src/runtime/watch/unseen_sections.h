/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_sections.h - critical sections in which uninstrumented code runs.
 *
 * A lazy reduction omits orders of critical sections that share no data.  Accesses of instrumented
 * code inside are recorded (--points=every); those of libc or another library are not: snprintf
 * writes, atoi reads, qsort moves, read(2) fills a buffer.
 *
 * O1  Before main, functions that instrumented objects import from elsewhere are replaced by stubs
 *     that record the call if the thread holds a mutex.  Exceptions are functions that announce
 *     their accesses (memcpy), touch nothing that other threads can see (sin), or whose whole
 *     effect is an operation (pthread_cond_signal).
 * O2  Each section ends with a touch of one object that represents all unseen data of its mutex: a
 *     write if such a call was recorded, or if uninstrumented code locked or unlocked the mutex;
 *     otherwise a read.  So a section that is not seen completely is ordered with every other
 *     section of its mutex, as in a search that is not lazy.
 * O3  Functions found by dlsym, or through tables inside other libraries (virtual functions), have
 *     no stubs.  If the program can use dlsym, no section counts as seen. */
#ifndef HD_RUNTIME_WATCH_UNSEEN_SECTIONS_H
#define HD_RUNTIME_WATCH_UNSEEN_SECTIONS_H

#include "runtime/core/object.h"

/* Replaces the imported functions by stubs (O1).  Call it before main. */
void hd_unseen_sections_init(void);

/* Call when the running thread has ended a section of the mutex, by an unlock or a wait: records
 * the touch of the mutex's unseen data (O2). */
void hd_unseen_sections_ended(const struct hd_obj *mutex, const struct hd_event *e);

#endif
