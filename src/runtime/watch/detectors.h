/* SPDX-License-Identifier: BSD-2-Clause
 *
 * detectors.h - the interface of a detector inside the target.  detectors.def lists the detectors, and
 * the worker calls all of them at each of the moments below.
 *
 * None of these calls happens during an operation.  A detector that needs only events reads those of the execution
 * (hd.exec->events) when it is over.  The race detector must see operations while they happen, so the gate and the
 * hooks call it directly (watch/race.h); so do interposers that check the arguments of a call (watch/locks.h,
 * watch/memcheck.h). */
#ifndef HD_RUNTIME_WATCH_DETECTORS_H
#define HD_RUNTIME_WATCH_DETECTORS_H

#include <stdbool.h>

/* A function that is NULL is not called. */
struct hd_detector {
    void (*start)(void); /* once in each process that runs executions */
    void (*begin)(void); /* an execution begins */
    void (*stuck)(void); /* no thread can run, and polling or a cut loop is not the reason */
    void (*end)(void);   /* the execution is over; its memory is not restored yet */
    /* The findings of the execution are reported and judged.  If its worker is lost, this is called in
     * another process, and `end` is not called. */
    void (*judged)(void);
};

#define HD_DETECTOR(name) extern const struct hd_detector hd_detector_##name;
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR

void hd_detectors_start(void);
void hd_detectors_begin(void);
void hd_detectors_stuck(void);
void hd_detectors_end(void);
void hd_detectors_judged(void);

/* To be called in `end`: true if the program has ended by itself.  Only then is its output complete and its state
 * final. */
bool hd_detectors_program_ended(void);

#endif
