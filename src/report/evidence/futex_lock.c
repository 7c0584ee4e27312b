/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_lock.c - see futex_lock.h. */
#include "report/evidence/futex_lock.h"

static hd_cname name_of(const struct hd_report *r, uint32_t obj)
{
    return obj != 0 && obj < HD_MAX_OBJECTS ? r->wire->common->objects[obj].name : 0;
}

static bool is_atomic_write(enum hd_kind kind)
{
    return kind == HD_EV_ATOMIC_STORE || kind == HD_EV_ATOMIC_RMW || kind == HD_EV_ATOMIC_CAS;
}

/* The word and the queue of its waiters are separate objects with the same name. */
static bool is_of_word(const struct hd_report *r, const struct hd_event *e, hd_cname word)
{
    return is_atomic_write((enum hd_kind)e->kind) && !(e->flags & HD_EVF_FAILED) && name_of(r, e->obj) == word;
}

bool hd_futex_lock_is_taking(const struct hd_event *e)
{
    return (e->kind == HD_EV_ATOMIC_RMW || e->kind == HD_EV_ATOMIC_CAS) && !(e->flags & HD_EVF_FAILED) &&
           e->value != 0 && e->obj2 == hd_event_value_hash(0);
}

bool hd_futex_lock_same_word(const struct hd_report *r, uint32_t a, uint32_t b)
{
    return a == b || (name_of(r, a) != 0 && name_of(r, a) == name_of(r, b));
}

const struct hd_event *hd_futex_lock_taken(const struct hd_report *r, const struct hd_event *wait)
{
    hd_cname word = wait->kind == HD_EV_FUTEX_WAKEUP ? name_of(r, wait->obj) : 0;
    const struct hd_event *taken = NULL;

    for (uint32_t i = 0; word != 0 && i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if (!is_of_word(r, e, word))
            continue;
        if (e->value == 0)
            taken = NULL;
        else if (hd_futex_lock_is_taking(e))
            taken = e;
    }
    return taken;
}

static hd_tid owner_of(const struct hd_report *r, hd_tid tid)
{
    const struct hd_event *wait = hd_report_pending(r, tid);
    const struct hd_event *taken = wait != NULL ? hd_futex_lock_taken(r, wait) : NULL;

    return taken != NULL ? taken->tid : HD_NO_TID;
}

unsigned hd_futex_lock_circle(const struct hd_report *r, hd_tid out[HD_MAX_THREADS])
{
    for (uint32_t first = 0; first < r->nthreads && first < HD_MAX_THREADS; first++) {
        hd_tid at = (hd_tid)first;
        unsigned n = 0;

        while (n < HD_MAX_THREADS && at < r->nthreads && (n == 0 || at != first)) {
            out[n++] = at;
            at = owner_of(r, at);
        }
        if (n > 0 && at == first && n < HD_MAX_THREADS)
            return n;
    }
    return 0;
}

unsigned hd_futex_lock_events(const struct hd_report *r, uint32_t *events, unsigned max)
{
    hd_tid circle[HD_MAX_THREADS];
    unsigned n = hd_futex_lock_circle(r, circle), known = 0;

    for (unsigned i = 0; i < n && known < max; i++)
        events[known++] = (uint32_t)(hd_futex_lock_taken(r, hd_report_pending(r, circle[i])) - r->events);
    return known;
}
