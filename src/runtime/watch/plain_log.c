/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain_log.c - fills in wire->witness.access, a ring of the last accesses.
 *
 * It logs only memory that a report can name: static data, stacks, and live blocks of the heap.  Only this memory is
 * certainly mapped when the value is read. */
#include "runtime/watch/plain_log.h"

#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

/* The last writes whose values are not known yet.  There are several if a call of libc has noted several. */
enum { MAX_UNSETTLED = 16 };
static struct hd_plain_access *unsettled[MAX_UNSETTLED];
static unsigned nunsettled;

static bool is_readable(uintptr_t addr, size_t size)
{
    if (addr - HD_HEAP_BASE < HD_HEAP_BYTES)
        return hd_map_allows_near(HD_MAP, addr - HD_HEAP_BASE, size) ||
               hd_map_allows_across(HD_MAP, addr - HD_HEAP_BASE, size);
    for (unsigned i = 0; i < hd.exec->nthreads && addr - HD_STACK_BASE < HD_STACKS_BYTES; i++)
        if (hd.thread[i].state == HD_TH_LIVE && addr >= hd.thread[i].stack_lo &&
            addr + size <= hd.thread[i].stack_hi)
            return true;
    return hd_cname_region(hd_object_name(addr)) == HD_REG_MODULE;
}

static void take_value(struct hd_plain_access *a)
{
    if (a->size > sizeof a->value || !is_readable(a->addr, a->size))
        return;
    hd_mem_copy(&a->value, (const void *)(uintptr_t)a->addr, a->size);
    a->valued = 1;
}

void hd_plain_log_settle(void)
{
    while (nunsettled > 0)
        take_value(unsettled[--nunsettled]);
}

void hd_plain_log(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    struct hd_witness *w = &hd.wire->witness;

    if (!is_readable(addr, size))
        return;
    struct hd_plain_access *a = &w->access[w->naccesses % HD_LOGGED_ACCESSES];

    *a = (struct hd_plain_access){ .addr = addr, .name = hd_object_name(addr), .pc = pc,
                                   .position = hd.exec->nevents,
                                   .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                                   .tid = hd.cur->tid, .write = write };
    hd_finding_calls(a->calls, sizeof a->calls / sizeof *a->calls);
    w->naccesses++;
    if (!write)
        take_value(a);
    else if (nunsettled < MAX_UNSETTLED)
        unsettled[nunsettled++] = a;
}
