/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point_class.c - derives the classes from the table of kinds. */
#include "model/point_class.h"

#include <stddef.h>

const char *const hd_point_class_words[] = {
    "lock", "unlock", "cond", "sem", "barrier", "once", "atomic", "thread", "access", NULL
};

static unsigned class_of_lock(const struct hd_kind_info *k)
{
    if (k->queue != HD_QUEUE_NONE)
        return HD_POINT_COND;
    if (k->lock == HD_LOCK_GIVES)
        return HD_POINT_UNLOCK;
    return k->lock != HD_LOCK_NONE ? HD_POINT_LOCK : 0;
}

/* Rule C3.  A thread that waits for a thread or a semaphore may also be cancelled, which the state of the
 * object does not show. */
static bool is_always_a_point(const struct hd_kind_info *k)
{
    bool waits_otherwise = k->when >= HD_WHEN_ENDED && k->when != HD_WHEN_EQUAL;

    return (k->traits & (HD_TRAIT_YIELDS | HD_TRAIT_TIMED | HD_TRAIT_LOCAL)) || waits_otherwise ||
           (k->props & HD_PROP_CANCEL);
}

unsigned hd_point_class(enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    if (kind == HD_EV_NONE || is_always_a_point(k))
        return 0;
    switch (k->obj) {
    case HD_OBJ_MUTEX:
    case HD_OBJ_SPIN:
    case HD_OBJ_RWLOCK:
        return class_of_lock(k);
    case HD_OBJ_COND:
        return k->queue != HD_QUEUE_NONE ? HD_POINT_COND : 0;
    case HD_OBJ_SEM:
        return HD_POINT_SEM;
    case HD_OBJ_BARRIER:
        return HD_POINT_BARRIER;
    case HD_OBJ_ONCE:
        return HD_POINT_ONCE;
    case HD_OBJ_MEMORY:
        return k->hb == HD_HB_ATOMIC ? HD_POINT_ATOMIC : HD_POINT_ACCESS;
    case HD_OBJ_THREAD:
        return k->change == HD_CHANGE_CREATE || k->change == HD_CHANGE_DETACH ? HD_POINT_THREAD : 0;
    default:
        return 0;
    }
}
