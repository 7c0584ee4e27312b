/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache.h - records which states have been explored, and at which cost, in a hash table of fixed size in shared
 * memory.  When the table is full it accepts no more entries; those in it stay valid, and the search only saves
 * less work.
 *
 * Under a bound two facts about a visit to a state matter: its cost, because the rest of the bound may be spent
 * afterwards, and the thread that ran last, because switching away from it may cost 1.  An entry holds the
 * least cost at which the state was visited, and the threads that ran last in the visits of that cost.  Such a
 * visit covers a later one, so that nothing new can follow the later one, in two cases.  Either the later visit
 * costs at least 1 more, whichever thread ran last, because the first switch after the earlier visit cost at
 * most 1.  Or it has the same cost and the same thread ran last.
 *
 * K1  An execution that is repeated because its worker was killed finds entries of its own
 *     first attempt.  Each entry names the execution that changed it last, and entries of
 *     the running execution are ignored.  A state does not recur within an execution, so
 *     this loses nothing.
 * K2  All information about the visits of an entry is one word, which one store changes.
 * K3  The owner of an entry is written last and makes the entry valid. */
#ifndef HD_SEARCH_ENUMERATE_CACHE_H
#define HD_SEARCH_ENUMERATE_CACHE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/hash.h"

#define HD_CACHE_ANY 0x3feu /* as `last`: what follows does not depend on the thread that ran last */
#define HD_CACHE_MAX_COUNT ((1u << 24) - 1)

struct hd_cache_entry {
    struct hd_hash128 key;
    uint64_t owner; /* 1 + the index of the execution that changed it last; 0: free */
    uint64_t seen;  /* cost and last threads of the visits: see hd_cache_covers */
};

struct hd_cache {
    struct hd_cache_entry *entry;
    uint64_t mask;
    uint64_t used;
};

struct hd_cache_visit {
    struct hd_hash128 key;
    uint64_t index; /* index of the running execution */
    uint64_t first; /* entries of executions before this index are out of date */
    uint32_t count; /* cost so far */
    unsigned last;  /* slot of the thread that ran last, or HD_CACHE_ANY */
};

/* Creates a table of that many megabytes. */
void hd_cache_init(struct hd_cache *c, struct hd_arena *arena, uint64_t megabytes);

/* hd_cache_place creates a table in zeroed memory of hd_cache_bytes(megabytes) bytes. */
size_t hd_cache_bytes(uint64_t megabytes);
void hd_cache_place(struct hd_cache *c, void *memory, uint64_t megabytes);

/* True if everything that can follow this visit has been explored after an earlier one.  If not, enters the
 * visit; the caller must explore it. */
bool hd_cache_known(struct hd_cache *c, const struct hd_cache_visit *v);

/* ---- one word of visits: cost (24 bits) and up to four last threads (10 bits each); 0: none ---- */

/* True if an earlier visit covers one of that cost and last thread. */
bool hd_cache_covers(uint64_t seen, uint32_t count, unsigned last);
/* Returns the word after adding a visit that is not covered. */
uint64_t hd_cache_with(uint64_t seen, uint32_t count, unsigned last);

#endif
