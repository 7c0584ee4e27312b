/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memcheck.c - reports accesses to invalid memory.
 *
 * The thread stops: the behaviour after such an access is undefined, and libc or the kernel might
 * have ended the program.  Addresses in messages are reproducible, so equal findings of many
 * executions become one.  The finding's section says when the block was allocated and freed. */
#include "runtime/watch/memcheck.h"

#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/report/finding.h"
#include "runtime/restore/heap_query.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

static const char *s_of(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Stops the thread.  If it is inside libc with a stream locked, other threads must not run: they would wait for
 * the lock on the only kernel thread. */
static void stop(enum hd_finding_kind kind, const struct hd_block *b, uintptr_t addr, uint64_t pc, const char *text)
{
    struct hd_block_info info;
    struct hd_evidence e = { .block = b != NULL ? &info : NULL, .address = addr };

    if (b != NULL)
        hd_heap_describe(b, &info);
    hd_finding_report(kind, pc, &e, "%s", text);
    if (hd_output_is_locked()) {
        hd.failed = 1;
        hd_execution_over(HD_END_FAILED);
    }
    hd_thread_failed();
}

/* ---- accesses ---------------------------------------------------------------------------- */

static size_t say_access(char *text, size_t cap, uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    const struct hd_event *e = hd_pending();
    const struct hd_obj *o = hd.cur->obj;

    if (e->pc == pc && o != NULL && o->addr == addr && o->type != HD_OBJ_MEMORY) /* this is an operation on an
                                                                                  * object, checked by the gate */
        return hd_format(text, cap, "T%u uses a %s (%s)", hd.cur->tid,
                         hd_object_type_text((enum hd_object_type)o->type), hd_kind_info[e->kind].text);
    return hd_format(text, cap, "T%u %s %lu byte%s", hd.cur->tid, write ? "writes" : "reads",
                     (unsigned long)size, s_of(size));
}

static void say_overflow(char *text, size_t cap, uintptr_t addr, size_t size,
                         const struct hd_place *p)
{
    const struct hd_block *b = p->block;
    unsigned long block = (unsigned long)b->size;

    if (p->where == HD_BEFORE)
        hd_format(text, cap, ", beginning %lu byte%s before a block of %lu byte%s",
                  (unsigned long)(b->addr - addr), s_of(b->addr - addr), block, s_of(block));
    else if (addr >= b->addr && addr < b->addr + b->size)
        hd_format(text, cap, " from offset %lu of a block of %lu byte%s, %lu more than there are",
                  (unsigned long)(addr - b->addr), block, s_of(block),
                  (unsigned long)(addr + size - b->addr - b->size));
    else if (p->distance == 0)
        hd_format(text, cap, " right after the end of a block of %lu byte%s", block, s_of(block));
    else
        hd_format(text, cap, ", %lu byte%s after the end of a block of %lu byte%s",
                  (unsigned long)p->distance, s_of(p->distance), block, s_of(block));
}

static size_t say_offset(char *text, size_t cap, size_t offset)
{
    if (offset == 0)
        return hd_format(text, cap, ", at the start of");
    return hd_format(text, cap, ", at offset %lu of", (unsigned long)offset);
}

static void check_heap(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    uintptr_t bad;
    char text[400];

    if (hd_map_allows(HD_MAP, addr - HD_HEAP_BASE, size, &bad))
        return;
    bad += HD_HEAP_BASE;
    struct hd_place p = hd_blocks_place(hd_heap_blocks(bad), bad);
    size_t n = say_access(text, sizeof text, addr, size, write, pc);

    switch (p.where) {
    case HD_IN_FREED:
        n += say_offset(text + n, sizeof text - n, p.distance);
        hd_format(text + n, sizeof text - n, " a block of %lu byte%s that T%u has freed",
                  (unsigned long)p.block->size, s_of(p.block->size), p.block->freed.tid);
        stop(HD_FK_USE_AFTER_FREE, p.block, bad, pc, text);
        return;
    case HD_NOWHERE:
        hd_format(text + n, sizeof text - n, " at %p, where no block of the heap is", (void *)bad);
        break;
    default:
        say_overflow(text + n, sizeof text - n, addr, size, &p);
    }
    stop(HD_FK_HEAP_OVERFLOW, p.block, 0, pc, text);
}

/* Returns the thread whose stack contains the address.  A thread keeps its slot during an execution, so no other
 * thread gets its stack. */
static hd_tid thread_of_stack(uintptr_t addr)
{
    unsigned slot = (unsigned)((addr - HD_STACK_BASE) / HD_STACK_STRIDE);

    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].slot == slot)
            return (hd_tid)i;
    return HD_NO_TID;
}

static void check_stack(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_tid owner = thread_of_stack(addr);
    char text[200];

    if (owner == HD_NO_TID || hd.thread[owner].state != HD_TH_FINISHED)
        return;
    size_t n = say_access(text, sizeof text, addr, size, write, pc);

    hd_format(text + n, sizeof text - n, " on the stack of T%u, which has ended", owner);
    stop(HD_FK_USE_AFTER_FREE, NULL, 0, pc, text);
}

void hd_memcheck_far(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.cur == NULL)
        return;
    if (addr - HD_HEAP_BASE < HD_HEAP_BYTES)
        check_heap(addr, size, write, pc);
    else
        check_stack(addr, size, write, pc);
}

/* ---- free ---------------------------------------------------------------------------------- */

/* Describes the memory at an address that free expected to be a block. */
static const struct hd_block *say_what(char *text, size_t cap, uintptr_t p)
{
    struct hd_place place;
    hd_tid owner;

    if (p - HD_HEAP_BASE < HD_HEAP_BYTES) {
        const struct hd_block *b = hd_blocks_find(hd_heap_blocks(p), p);

        if (b != NULL && b->state != 0 && p - b->addr < b->size) {
            hd_format(text, cap, "at offset %lu of a block of %lu byte%s", (unsigned long)(p - b->addr),
                      (unsigned long)b->size, s_of(b->size));
            return b;
        }
        place = hd_blocks_place(hd_heap_blocks(p), p);
        hd_format(text, cap, "an address of the heap where no block begins");
        return place.block;
    }
    owner = p - HD_STACK_BASE < HD_STACKS_BYTES ? thread_of_stack(p) : HD_NO_TID;
    if (owner != HD_NO_TID) {
        hd_format(text, cap, "on the stack of T%u", owner);
        return NULL;
    }
    for (uint32_t i = 0; i < hd.wire->nmodules; i++)
        if (p >= hd.wire->modules[i].lo && p < hd.wire->modules[i].hi) {
            hd_format(text, cap, "in the static data of a module");
            return NULL;
        }
    hd_format(text, cap, "no address of the heap");
    return NULL;
}

void hd_memcheck_bad_free(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc)
{
    char where[160], text[300];

    if (hd.cur == NULL)
        return;
    if (b != NULL) {
        hd_format(text, sizeof text, "T%u calls %s for a block of %lu byte%s that T%u has freed already",
                  hd.cur->tid, what, (unsigned long)b->size, s_of(b->size), b->freed.tid);
        stop(HD_FK_DOUBLE_FREE, b, 0, pc, text);
        return;
    }
    b = say_what(where, sizeof where, p);
    hd_format(text, sizeof text, "T%u calls %s for %p, which is %s", hd.cur->tid, what, (void *)p, where);
    stop(HD_FK_BAD_FREE, b, 0, pc, text);
}
