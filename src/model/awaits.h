/* SPDX-License-Identifier: BSD-2-Clause
 *
 * awaits.h - what is known about waiting loops (runtime/progress/await.h).  A thread that waits in a loop reads
 * a location again and again.  For some values of the location, the operation returns the thread to an earlier
 * state: the round of the loop has changed nothing, and another round begins.  The table here records for which
 * values that is so.
 *
 * A key is a hash of the thread's state before the operation, of the operation, and of the states to which it
 * may return.  Key and value determine, in every execution, whether the operation begins another round. (The
 * value of a lock is whether it can be taken.) So entries stay valid, the table only grows, and all workers
 * share it.  If it is full, further outcomes stay unknown, which only costs time. */
#ifndef HD_MODEL_AWAITS_H
#define HD_MODEL_AWAITS_H

#include "base/hash.h"
#include "model/event.h"

#define HD_AWAIT_OUTCOMES (1u << 18)
#define HD_AWAIT_PROBES 64u

/* A hash table with open addressing; 0: free.  A word is a hash of key and value; its last bit is the outcome. */
struct hd_await_table {
    uint64_t word[HD_AWAIT_OUTCOMES];
};

enum hd_await_outcome { HD_AWAIT_UNKNOWN, HD_AWAIT_LEAVES, HD_AWAIT_GOES_ROUND };

/* The value of a lock or semaphore that cannot be taken.  A successful attempt leaves the loop. */
#define HD_AWAIT_HELD UINT64_C(1)

/* True for an attempt at a lock or semaphore that fails at once if it cannot be taken. */
static inline bool hd_kind_attempts(enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    return (k->traits & (HD_TRAIT_POLLS | HD_TRAIT_TIMED)) == HD_TRAIT_POLLS &&
           (k->when == HD_WHEN_FREE || k->when == HD_WHEN_READABLE || k->when == HD_WHEN_WRITABLE ||
            k->when == HD_WHEN_POSITIVE);
}

/* In hd_event.peer of an atomic operation or an attempt: the operation has a key.  While it is pending, its key
 * is in hd_event.value, afterwards in hd_execution.await_keys. */
#define HD_PEER_AWAITS ((hd_tid)0xfffe)

static inline bool hd_event_awaits(const struct hd_event *e)
{
    return e->peer == HD_PEER_AWAITS;
}

static inline uint64_t hd_await_word(uint64_t key, uint64_t value)
{
    return hd_hash_mix(hd_hash_mix(0, key), value) & ~UINT64_C(1);
}

static inline enum hd_await_outcome hd_await_find(const struct hd_await_table *t, uint64_t key,
                                                  uint64_t value)
{
    uint64_t word = hd_await_word(key, value);

    for (uint32_t i = 0; i < HD_AWAIT_PROBES; i++) {
        uint64_t at = __atomic_load_n(&t->word[((word >> 1) + i) & (HD_AWAIT_OUTCOMES - 1)], __ATOMIC_RELAXED);

        if (at == 0)
            return HD_AWAIT_UNKNOWN;
        if ((at & ~UINT64_C(1)) == word)
            return at & 1 ? HD_AWAIT_GOES_ROUND : HD_AWAIT_LEAVES;
    }
    return HD_AWAIT_UNKNOWN;
}

static inline void hd_await_add(struct hd_await_table *t, uint64_t key, uint64_t value, bool goes_round)
{
    uint64_t word = hd_await_word(key, value);

    for (uint32_t i = 0; i < HD_AWAIT_PROBES;) {
        uint64_t *at = &t->word[((word >> 1) + i) & (HD_AWAIT_OUTCOMES - 1)];
        uint64_t found = __atomic_load_n(at, __ATOMIC_RELAXED);

        if ((found & ~UINT64_C(1)) == word && found != 0)
            return;
        if (found != 0)
            i++;
        else if (__atomic_compare_exchange_n(at, &found, word | goes_round, false, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED))
            return;
    }
}

/* Converts a hash of a value (hd_event_value_hash) to a value of the table, because the search knows only these
 * hashes. */
static inline uint64_t hd_await_hashed(uint32_t value_hash)
{
    return UINT64_C(0x5bd1e99500000000) ^ value_hash;
}

#endif
