/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.h - the objects of visible operations and their canonical names.  The name of an object depends only
 * on its location (module and offset, or the thread that owns the heap or stack and the offset there), never on
 * the interleaving.  So it is the same in all executions and processes, and schedules, hashes and replays can
 * rely on it. */
#ifndef HD_MODEL_OBJECT_H
#define HD_MODEL_OBJECT_H

#include <stdint.h>

enum hd_region { HD_REG_OTHER, HD_REG_MODULE, HD_REG_HEAP, HD_REG_STACK, HD_REG_THREAD, HD_REG_PROCESS };

enum hd_object_type {
    HD_OBJ_NONE,
    HD_OBJ_THREAD,
    HD_OBJ_MUTEX,
    HD_OBJ_COND,        /* the queue of waiters; the next object id is that of its tokens */
    HD_OBJ_COND_TOKENS,
    HD_OBJ_RWLOCK,
    HD_OBJ_SPIN,
    HD_OBJ_SEM,
    HD_OBJ_BARRIER,
    HD_OBJ_ONCE,
    HD_OBJ_MEMORY,
    HD_OBJ_FILE,        /* a stdio stream: its lock, position and buffer */
    HD_OBJ_FUTEX,       /* the queue of waiters; the next object id is that of its tokens */
    HD_OBJ_FUTEX_TOKENS,
    HD_OBJ_TIMER,
    HD_OBJ_PROCESS,
    HD_OBJ_STATE,       /* state inside libc or the kernel: model/state.h */
    HD_OBJ_UNKNOWN,
    HD_OBJ_MAILBOX,     /* the order of the messages in it: <heddle/mail.h> */
    HD_OBJ_MESSAGE,     /* a place in a mailbox; counts the messages there */
    HD_OBJ_ACTORS,      /* counts the things to be done before all actors are idle */
    HD_OBJ_TYPES
};

/* Canonical name: region (4 bits) | module index or thread slot (12) | offset (48). */
typedef uint64_t hd_cname;

static inline hd_cname hd_cname_make(enum hd_region r, unsigned index, uint64_t offset)
{
    return (uint64_t)r << 60 | (uint64_t)(index & 0xfff) << 48 | (offset & UINT64_C(0xffffffffffff));
}
static inline enum hd_region hd_cname_region(hd_cname n) { return (enum hd_region)(n >> 60); }
static inline unsigned hd_cname_index(hd_cname n) { return (unsigned)(n >> 48) & 0xfff; }
static inline uint64_t hd_cname_offset(hd_cname n) { return n & UINT64_C(0xffffffffffff); }

/* One row of the campaign's object table (shared with the conductor). */
struct hd_object_info {
    hd_cname name;
    uint64_t addr;
    uint8_t type; /* enum hd_object_type */
    uint8_t surplus; /* barrier: the first pass of the search in which it is assumed that more threads than
                      * places use it; 0: never */
    uint8_t serial;  /* barrier: the first pass in which it is assumed that the program checks for the serial
                      * thread; 0: never */
    uint8_t pad[5];
};

const char *hd_object_type_text(enum hd_object_type t);

#endif
