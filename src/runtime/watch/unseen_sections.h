/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_sections.h - critical sections in which code runs that is not instrumented.
 *
 * A lazy reduction leaves out orders of sections that share nothing.  What instrumented
 * code does inside is recorded (--points=every); what a function of libc or of another
 * library does is not: snprintf writes, atoi reads, qsort moves, read(2) fills a buffer.
 *
 * O1  Before main, what instrumented objects import from elsewhere is led through stubs
 *     that note the call when the thread holds a mutex.  Left alone are functions whose
 *     accesses are announced by themselves (memcpy), that touch nothing that others can
 *     see (sin), or whose whole effect is an operation (pthread_cond_signal).
 * O2  Each section ends with a touch of one object that stands for all that its mutex
 *     protects and nobody sees: with a write if such a call was noted, or if it was code
 *     outside that locked or unlocked; else with a read.  So a section of which not all is
 *     seen has an order with every other of the same mutex, as in a search that is not lazy.
 * O3  Functions found by dlsym, or by tables inside other libraries (virtual functions), are
 *     not led through stubs.  With dlsym in reach no section is seen. */
#ifndef HD_RUNTIME_WATCH_UNSEEN_SECTIONS_H
#define HD_RUNTIME_WATCH_UNSEEN_SECTIONS_H

#include "runtime/core/rt.h"

/* Before main: O1. */
void hd_unseen_sections_init(void);

/* The running thread has ended a section of the mutex, by an unlock or a wait: O2. */
void hd_unseen_sections_ended(const struct hd_obj *mutex, const struct hd_event *e);

#endif
