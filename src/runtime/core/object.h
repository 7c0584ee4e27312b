/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.h - synchronisation objects of the target, and the table that finds them by address. */
#ifndef HD_RUNTIME_CORE_OBJECT_H
#define HD_RUNTIME_CORE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/limits.h"
#include "base/set.h"
#include "model/object.h"
#include "model/sync.h"
#include "runtime/core/state.h"

enum hd_obj_flag {
    HD_OF_DESTROYED = 1,
    HD_OF_INCONSISTENT = 4, /* robust mutex: its owner died */
    HD_OF_MONOTONIC = 16,   /* condition: absolute time-outs refer to CLOCK_MONOTONIC */
    HD_OF_GARBAGE = 32,     /* its memory was never initialised; the report clears this */
    HD_OF_AWAITED = 64,     /* memory: a waiting loop waits for its value (progress/await.h) */
};

/* Run-time state of a sync object.  The first use in each execution sets it up from the target's
 * memory, so static initialisers need no call. */
struct hd_obj {
    uint32_t epoch; /* execution for which the fields below are valid */
    uint32_t id;    /* row in the wire's object table; cond/futex tokens: id + 1 */
    uint32_t sig;   /* hash of its canonical name */
    uint8_t type;   /* enum hd_object_type */
    uint8_t flags;  /* enum hd_obj_flag */
    uint8_t attr;   /* kind bits of the libc object; their meaning depends on the type */
    uint8_t overlaps; /* memory: shares bytes with another object; kept for the whole process */
    struct hd_sync_state sync;
    uint32_t *tokens; /* queue: stamps of its tokens (model/sync.h) */
    uint32_t robust;
    uint32_t extent;  /* memory: bytes of the largest access; kept for the whole process */
    uint32_t uses;    /* kernel/shared_state.c: number of uses, and the using thread */
    uint32_t user;
    uint64_t addr;
    uint64_t pc;           /* where a thread acquired it last */
    struct hd_obj *second; /* cond: the mutex that its waiters use */
    uint32_t nwatchers;
    uint32_t nlockers;      /* watchers that wait to lock a mutex */
    struct hd_set watchers; /* threads whose pending operation its state may enable or disable */
    struct hd_set readers; /* rwlock: threads that hold it for reading */
};

/* Cache of valid objects that this execution has used recently, by hd_recent_index. */
#define HD_RECENT HD_LIMIT(64, 3)
extern struct hd_obj *hd_recent[HD_RECENT] __attribute__((visibility("hidden")));

static inline unsigned hd_recent_index(uintptr_t addr)
{
    return (unsigned)(addr >> 2 ^ addr >> 8) % HD_RECENT; /* shift by 2: neighbouring atomics differ */
}

struct hd_obj *hd_object_look_up(const volatile void *addr, enum hd_object_type type);

/* Returns the object at addr, set up for this execution. */
static inline struct hd_obj *hd_object(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj *o = hd_recent[hd_recent_index((uintptr_t)addr)];

    if (HD_LIKELY(o->addr == (uintptr_t)addr && o->type == type && o->epoch == hd.epoch &&
                  !(o->flags & HD_OF_DESTROYED)))
        return o;
    return hd_object_look_up(addr, type);
}

/* Like hd_object, for *_init: neither checks the object nor reads its state from memory. */
struct hd_obj *hd_object_fresh(const volatile void *addr, enum hd_object_type type);
/* Records that the target has destroyed o.  For a mutex: call after libc's own destroy. */
void hd_object_destroyed(struct hd_obj *o);
/* Format of an object's id in a message.  The conductor replaces it by the type and name of the
 * object. */
#define HD_NAMED "\001%u\002"

/* Returns the canonical name of an address. */
hd_cname hd_object_name(uintptr_t addr);
/* Returns memory for HD_MAX_THREADS token stamps, valid until the execution ends. */
uint32_t *hd_object_tokens(void);
/* Reports lock misuse: an operation has its turn on an object that was never initialised, or was
 * destroyed.  Does not report a destroyed object that was initialised again without a call. */
void hd_object_is_unusable(struct hd_obj *o);
/* Checks o (may be NULL) at the turn of an operation, not at its announcement: see object.c, O3. */
static inline void hd_object_at_turn(struct hd_obj *o)
{
    if (HD_UNLIKELY(o != NULL && (o->flags & (HD_OF_DESTROYED | HD_OF_GARBAGE))))
        hd_object_is_unusable(o);
}
/* Resets an object without memory of its own, a thread, at its first use in an execution. */
void hd_object_renew(struct hd_obj *o);
/* Called when an execution begins: frees all token stamps. */
void hd_object_begin(void);
/* Forgets the state of all objects in this memory.  Call when the allocator hands it out again. */
void hd_object_forget(uintptr_t addr, size_t size);
/* Records that o is used with this size.  Call when the size grows, or o shares bytes with other
 * objects. */
void hd_object_overlap(struct hd_obj *o, unsigned size);
/* Calls fn for each memory object that shares bytes with o, from this or an earlier execution of
 * the process. */
void hd_object_each_overlap(const struct hd_obj *o, void (*fn)(struct hd_obj *, void *), void *arg);
/* Calls fn for every object that this execution has used. */
void hd_object_each(void (*fn)(struct hd_obj *, void *), void *arg);

/* ---- the rules of model/sync.h, for the running thread at its turn ------------------------- */

/* Returns true if an operation of this kind on o would succeed now. */
static inline bool hd_can(const struct hd_obj *o, enum hd_kind kind)
{
    return hd_sync_run(&o->sync, hd_kind_when(kind), hd.cur->tid, hd.cur->round) == HD_RUN_OK;
}

/* Changes the state of o as an operation of this kind does when it succeeds.  number: see
 * hd_sync_happen. */
static inline void hd_take_effect(struct hd_obj *o, enum hd_kind kind, uint64_t number)
{
    hd_sync_happen(&o->sync, hd_kind_change(kind), hd.cur->tid, false, number);
}

#endif
