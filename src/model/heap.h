/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - information about a heap block in a finding: which threads allocated and freed
 * it, where and when. */
#ifndef HD_MODEL_HEAP_H
#define HD_MODEL_HEAP_H

#include "base/set.h"
#include "model/event.h"

/* Where the heaps are: each thread has an address range of its own. */
#define HD_HEAP_BASE UINT64_C(0x620000000000)
#define HD_HEAP_STRIDE UINT64_C(0x400000000)
#define HD_HEAP_BYTES (HD_HEAP_STRIDE * HD_MAX_THREADS)

/* The lifetime of a block, which free ends, is an object of its own.  The address of that object is this many
 * bytes before the block. */
#define HD_BLOCK_LIFE 16

#define HD_SITE_CALLS 4

/* A call of malloc or free: its place, and its callers, innermost first, as many as fit; terminated by 0. */
struct hd_heap_site {
    uint64_t pc; /* 0: there was no such call */
    uint64_t calls[HD_SITE_CALLS];
    uint32_t step; /* decisions taken before it */
    hd_tid tid;
    uint16_t pad;
};

/* The block that a finding is about. */
struct hd_block_info {
    uint64_t addr;
    uint64_t size;
    struct hd_heap_site allocated;
    struct hd_heap_site freed;
    /* Only for a leak: */
    uint64_t site;     /* hash of the allocation site, the same in every process */
    uint32_t count;    /* number of lost blocks from this site */
    uint32_t expected; /* number of blocks lost in the execution that lost the fewest */
};

/* An allocation site, with the number of its blocks that an execution has lost. */
struct hd_leak_site {
    uint64_t site;
    uint32_t now;   /* number of blocks lost in this execution */
    uint32_t first; /* number of blocks lost in the first execution */
    uint32_t least; /* number in the execution that lost the fewest */
    uint8_t reported;
    uint64_t bytes, first_bytes;
    struct hd_block_info block, first_block; /* one lost block of this execution, and one of the
                                              * first execution */
};

#define HD_LEAK_SITES 256
#define HD_LEAK_SEEN 256

/* Data about all executions that ended without a finding. */
struct hd_leaks {
    uint32_t executions;
    uint32_t nsites;
    struct hd_leak_site sites[HD_LEAK_SITES];
    uint64_t seen[HD_LEAK_SEEN]; /* a cache of hashes of the sets of lost blocks seen so far */
};

#endif
