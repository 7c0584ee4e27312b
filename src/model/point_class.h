/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point_class.h - classes of scheduling points.  A search may leave some classes out
 * (hd_settings.no_points), and all of them in some calls (model/filter.h).
 *
 * C1  Between two operations of a thread there is a scheduling point if the first has a class that
 *     counts after it, or the second one that counts before it, and the class is not left out.
 *     Otherwise the thread continues without a decision, so a step may consist of several
 *     operations.
 * C2  Where such an operation has to wait, the step ends before it.  The other threads may
 *     run then, and the operation is the thread's next step.  That it had to wait depends on
 *     the state of its objects, so the step touches them (a TOUCH event, as strong as a write).
 * C3  These operations are always points: those that let others go first, that may time out,
 *     that wait for a token, for the kernel or for a thread, the first one after a choice, and
 *     one before which a polling thread is held. */
#ifndef HD_MODEL_POINT_CLASS_H
#define HD_MODEL_POINT_CLASS_H

#include "model/event.h"
#include "model/object.h"

enum hd_point_class {
    HD_POINT_LOCK = 1,   /* before taking a mutex, spin lock or read-write lock */
    HD_POINT_UNLOCK = 2, /* after giving it up */
    HD_POINT_COND = 4,   /* before and after operations on condition variables: start of a wait,
                          * signal, broadcast */
    HD_POINT_SEM = 8,    /* before and after semaphore operations */
    HD_POINT_BARRIER = 16, /* before and after */
    HD_POINT_ONCE = 32,    /* before and after */
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

/* The class of an operation of this kind; 0: always a point (C3). */
unsigned hd_point_class(enum hd_kind kind);

/* An operation of a thread, as C1 sees it. */
struct hd_point_op {
    uint8_t kind;  /* enum hd_kind; HD_EV_NONE: there is none */
    uint16_t left; /* enum hd_point_class, bits: the classes that are left out where it is made; all of them
                    * if a filter leaves the operation out (model/filter.h) */
};

/* C1: is there a point between these operations of a thread? */
static inline bool hd_point_between(struct hd_point_op before, struct hd_point_op next)
{
    unsigned class = hd_point_class((enum hd_kind)next.kind), after = hd_point_class((enum hd_kind)before.kind);

    return class == 0 || (class & ~HD_POINT_NOT_BEFORE & ~(unsigned)next.left) != 0 ||
           (after & ~HD_POINT_NOT_AFTER & ~(unsigned)before.left) != 0;
}

#endif
