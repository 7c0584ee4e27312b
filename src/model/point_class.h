/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point_class.h - classes of scheduling points.  A search may exclude some classes (hd_settings.no_points), or
 * all of them in some calls (model/filter.h).
 *
 * C1  Each class has a point before its operations, after them, or both.  So there is a scheduling point
 *     between two operations of a thread if the class of the first has one after it, or that of the second one
 *     before it, and that class is not excluded.  Otherwise the thread continues without a decision, and a step
 *     may consist of several operations.
 * C2  If the second operation then has to wait, the step ends before it, other threads may run, and the
 *     operation is the thread's next step.  That it had to wait depends on the state of its objects, so the
 *     step counts as accessing them (by a TOUCH event, which conflicts like a write).
 * C3  Some operations are always points: those that yield, that may time out, that wait for a token, for the
 *     kernel or for a thread; the first one after a choice; and one before which a polling thread is held back. */
#ifndef HD_MODEL_POINT_CLASS_H
#define HD_MODEL_POINT_CLASS_H

#include "model/event.h"
#include "model/object.h"

enum hd_point_class {
    HD_POINT_LOCK = 1,   /* before taking a mutex, spin lock or read-write lock */
    HD_POINT_UNLOCK = 2, /* after releasing one */
    HD_POINT_COND = 4,   /* before and after operations on condition variables: start of a wait,
                          * signal, broadcast */
    HD_POINT_SEM = 8,    /* before and after semaphore operations */
    HD_POINT_BARRIER = 16, /* before and after barrier operations */
    HD_POINT_ONCE = 32,    /* before and after pthread_once */
    HD_POINT_ATOMIC = 64,  /* before atomic operations */
    HD_POINT_THREAD = 128, /* after the creation of a thread */
    HD_POINT_ACCESS = 256, /* before plain accesses */
};
#define HD_POINT_NOT_BEFORE (HD_POINT_UNLOCK | HD_POINT_THREAD)
#define HD_POINT_NOT_AFTER (HD_POINT_LOCK | HD_POINT_ATOMIC | HD_POINT_ACCESS)
#define HD_POINT_CLASSES 9
#define HD_POINT_ALL ((1u << HD_POINT_CLASSES) - 1)

/* NULL-terminated, in the order of their bits. */
extern const char *const hd_point_class_words[];

/* Returns the class of operations of this kind; 0: always a point (C3). */
unsigned hd_point_class(enum hd_kind kind);

/* An operation of a thread, for rule C1. */
struct hd_point_op {
    uint8_t kind;  /* enum hd_kind; HD_EV_NONE: there is none */
    uint16_t left; /* bits of enum hd_point_class: the classes that are excluded at its place; all of them if a
                    * filter excludes the operation (model/filter.h) */
};

/* Rule C1: true if there is a point between these two operations of a thread. */
static inline bool hd_point_between(struct hd_point_op before, struct hd_point_op next)
{
    unsigned class = hd_point_class((enum hd_kind)next.kind), after = hd_point_class((enum hd_kind)before.kind);

    return class == 0 || (class & ~HD_POINT_NOT_BEFORE & ~(unsigned)next.left) != 0 ||
           (after & ~HD_POINT_NOT_AFTER & ~(unsigned)before.left) != 0;
}

#endif
