/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event.h - a visible operation: pending before it runs, an event afterwards. */
#ifndef HD_MODEL_EVENT_H
#define HD_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/kind.h"

typedef uint16_t hd_tid; /* creation order within one execution; 0 is main */
#define HD_NO_TID ((hd_tid)0xffff)

enum hd_event_flag {
    HD_EVF_FAILED = 1,    /* an attempt failed, a wait timed out, or a compare-and-swap did not match */
    HD_EVF_CHOICE = 2,    /* value holds the alternative that was taken */
    HD_EVF_SAME = 4,      /* a write that stored the value that was already there */
    HD_EVF_PREEMPTED = 8, /* executing it was a preemption: the previous thread was enabled and had not yielded */
    HD_EVF_HELD = 16,     /* the thread polled without success and may continue only after a write
                           * to one of the objects that the TOUCH events of this step name */
    HD_EVF_SIZE_SHIFT = 5 /* upper bits: log2 of the access size in bytes, at most HD_EVF_SIZE_MAX */
};

#define HD_EVF_SIZE_MAX 7u

/* obj2 of a FAULT_MALLOC event, which has no second object: the allocation function. */
enum hd_alloc_call { HD_CALL_MALLOC = 1, HD_CALL_CALLOC, HD_CALL_REALLOC, HD_CALL_ALIGNED, HD_CALL_NEW };

static inline bool hd_kind_is_fault(unsigned kind)
{
    return (kind >= HD_EV_FAULT_MALLOC && kind <= HD_EV_FAULT_TRYLOCK) ||
           (kind >= HD_EV_FAULT_CRASH && kind <= HD_EV_FAULT_TIMER);
}

static inline bool hd_kind_is_io(unsigned kind)
{
    return kind >= HD_EV_IO && kind <= HD_EV_IO_TIMED;
}

/* True if an operation of this kind begins a section that is one step up to its end. */
static inline bool hd_kind_begins_section(unsigned kind)
{
    return kind == HD_EV_SECTION_BEGIN || kind == HD_EV_TX_BEGIN;
}

static inline bool hd_kind_ends_section(unsigned kind)
{
    return kind == HD_EV_SECTION_END || kind == HD_EV_TX_END;
}

/* True if an event of this kind contains the value of its location in memory. */
static inline bool hd_kind_has_value(unsigned kind)
{
    return kind == HD_EV_ATOMIC_LOAD || kind == HD_EV_ATOMIC_STORE || kind == HD_EV_ATOMIC_RMW ||
           kind == HD_EV_ATOMIC_CAS || kind == HD_EV_TX_READ || kind == HD_EV_TX_WRITE;
}

/* The alternative of a fault choice that injects the fault. */
#define HD_FAULT_TAKEN 1u

/* value of a PLAIN_WRITE that frees the block. */
#define HD_PLAIN_FREES 1u

/* value of a SECTION_END that a wait caused, although the thread might have continued. */
#define HD_SECTION_LEFT 1u

/* aux of an IO or CHANNEL event: how happens-before flows through a channel, for the race detector.  Data and
 * free space are separate: a writer is ordered after a reader only if it had to wait for space. obj2 of an IO
 * event is its channel, which the search does not treat as a second object; if it uses more channels, CHANNEL
 * events follow. */
enum hd_flow {
    HD_FLOW_ALL = 1, /* the channel is unknown: all channels, in both directions */
    HD_FLOW_LEARNS = 2,
    HD_FLOW_TELLS = 4,
    HD_FLOW_LEARNS_ROOM = 8,
    HD_FLOW_TELLS_ROOM = 16
};

/* value of a FENCE: its memory order, or this for membarrier(2), which is a fence for all threads. */
#define HD_FENCE_EVERYBODY 8u

struct hd_event {
    hd_tid tid;
    uint8_t kind;  /* enum hd_kind */
    uint8_t flags; /* enum hd_event_flag */
    hd_tid peer;   /* the other thread: child, joined thread, or owner of a held lock */
    uint16_t aux;  /* memory order of an atomic operation; number of alternatives of a choice; 1 if a thread is
                    * created detached; enum hd_flow of input or output */
    uint32_t obj;  /* first object, 0 = none (index into the object table) */
    uint32_t obj2; /* second object, 0 = none.  Some operations that have no second object store something else
                    * here.  An atomic operation that may write, and the write of a transaction, store the
                    * hd_event_value_hash of the value that they replaced (a compare-and-swap: of the value that
                    * it expected).  Input or output stores its channel */
    uint64_t pc;   /* return address in the target's code */
    uint64_t value; /* value read, written, or result */
};

/* True if the event left all visible state unchanged. `traits` are those of its kind. */
static inline bool hd_event_polls(const struct hd_event *e, unsigned traits)
{
    if (__builtin_expect(!(traits & (HD_TRAIT_YIELDS | HD_TRAIT_POLLS)), 1))
        return false;
    return (traits & HD_TRAIT_YIELDS) || (e->flags & (HD_EVF_FAILED | HD_EVF_SAME)) ||
           (hd_kind_info[e->kind].ok1 == HD_ACC_R && hd_kind_info[e->kind].change != HD_CHANGE_READ_IN);
}

/* Returns a hash that is never 0, because 0 means an unknown value.  It is computed for every atomic operation,
 * so it is a single multiplication. */
static inline uint32_t hd_event_value_hash(uint64_t value)
{
    return (uint32_t)((value ^ value >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
}

#endif
