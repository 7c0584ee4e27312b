/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache.h - which states were explored already, and how far: a table of hashes in
 * shared memory, of fixed size.  When it is full nothing more is learnt; what is in
 * it stays valid, and the search only saves less.
 *
 * Under a bound it matters at what cost a state was reached, for what is left is
 * what may be spent behind it, and which thread ran last, for leaving that one may
 * cost 1.  An entry holds the least cost at which the state was visited and the
 * threads that ran last in those visits.  A later visit is covered when it costs at
 * least 1 more, whoever ran last: the first switch behind the earlier one cost at
 * most that.  Or when it costs no less and the same thread ran last.
 *
 * K1  An execution that is repeated because its worker was killed finds entries of
 *     its own first attempt.  Each entry names the execution that changed it last;
 *     of the running one it says nothing.  A state does not recur within an
 *     execution, so that loses nothing.
 * K2  What a visit knows is one word, and changed by one store.
 * K3  An entry counts when its owner is set, which comes last. */
#ifndef HD_SEARCH_ENUMERATE_CACHE_H
#define HD_SEARCH_ENUMERATE_CACHE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/hash.h"

#define HD_CACHE_ANY 0x3feu /* as last: the future does not depend on who ran last */
#define HD_CACHE_MAX_COUNT ((1u << 24) - 1)

struct hd_cache_entry {
    struct hd_hash128 key;
    uint64_t owner; /* index + 1 of the execution that changed it; 0: free */
    uint64_t seen;  /* see hd_cache_covers */
};

struct hd_cache {
    struct hd_cache_entry *entry;
    uint64_t mask;
    uint64_t used;
};

struct hd_cache_visit {
    struct hd_hash128 key;
    uint64_t index; /* of the running execution */
    uint64_t first; /* entries of executions before this one are out of date */
    uint32_t count; /* cost so far */
    unsigned last;  /* slot of the thread that ran last, or HD_CACHE_ANY */
};

/* A table of that many megabytes. */
void hd_cache_init(struct hd_cache *c, struct hd_arena *arena, uint64_t megabytes);

/* The same in memory of that size, which is zeroed. */
size_t hd_cache_bytes(uint64_t megabytes);
void hd_cache_place(struct hd_cache *c, void *memory, uint64_t megabytes);

/* Was all that can follow this visit explored behind an earlier one?  If not, the
 * visit is entered: the caller explores it. */
bool hd_cache_known(struct hd_cache *c, const struct hd_cache_visit *v);

/* ---- one word of visits: cost (24 bits) and up to four last threads (10 bits each);
 *      0: none ------------------------------------------------------------------------ */

/* Does an earlier visit cover one of that cost and last thread? */
bool hd_cache_covers(uint64_t seen, uint32_t count, unsigned last);
/* The word after a visit that is not covered. */
uint64_t hd_cache_with(uint64_t seen, uint32_t count, unsigned last);

#endif
