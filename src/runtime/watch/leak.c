/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak.c - finds the blocks that an execution has lost: live at its end and not reachable from
 * data, thread-local storage, live stacks or reachable blocks.
 *
 * A leak that occurs in every execution is not interesting.  So the blocks are not examined if they have the same
 * sizes and sites as in an execution that was examined before.  Pointers may be in memory that is not scanned
 * (memory that the program maps itself); they can hide leaks, but never cause a false report. */
#include "runtime/watch/detectors.h"

#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/heap_query.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

#define ADDRESS_BITS UINT64_C(0xffffffffffff) /* bits of an address: lock-free code keeps tags above
                                               * them */

static struct hd_block *to_scan;

/* ---- reachability ---------------------------------------------------------------------- */

static void reach(uint64_t word)
{
    struct hd_block *b = hd_heap_live_at(word & ADDRESS_BITS);

    if (b == NULL || b->mark == hd.epoch)
        return;
    b->mark = hd.epoch;
    b->next = to_scan;
    to_scan = b;
}

static void scan(uintptr_t lo, uintptr_t hi)
{
    lo = (lo + 7) & ~(uintptr_t)7;
    for (; lo + 8 <= hi; lo += 8)
        reach(*(const uint64_t *)lo);
}

static const struct hd_thread *thread_at(uintptr_t addr)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if ((addr - HD_STACK_BASE) / HD_STACK_STRIDE == hd.thread[i].slot)
            return &hd.thread[i];
    return NULL;
}

/* Thread-local storage lies at the upper end of a stack, and disappears with its thread. */
static void scan_region(uintptr_t lo, uintptr_t hi, void *arg)
{
    (void)arg;
    if (lo - HD_STACK_BASE < HD_STACKS_BYTES) {
        const struct hd_thread *t = thread_at(lo);

        if (t == NULL || t->state != HD_TH_LIVE)
            return;
    }
    scan(lo, hi);
}

static void scan_all(void)
{
    to_scan = NULL;
    hd_snapshot_each(scan_region, NULL);
    scan(hd_heap_loader_base(), hd_heap_loader_used());
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].state == HD_TH_LIVE)
            scan(hd.thread[i].sp, hd.thread[i].stack_hi);
    while (to_scan != NULL) {
        struct hd_block *b = to_scan;

        to_scan = b->next;
        scan(b->addr, b->addr + b->size);
    }
}

/* ---- counting --------------------------------------------------------------------------- */

/* Counts the block by its site: the place of the call alone, without its callers, because it does not matter which
 * of several similar threads allocates. */
static void count(struct hd_block *b, void *arg)
{
    struct hd_block_info info;

    if (b->mark == hd.epoch)
        return;
    hd_heap_describe(b, &info);
    info.site = hd_object_name(info.allocated.pc); /* the canonical name, which is the same in every process */
    hd_leaks_add(arg, &info);
}

/* True if every thread has ended, except the one that ended the process. */
static bool is_clean(void)
{
    if (hd.exec->ending != HD_END_CLEAN || hd.exec->exit_code != 0 || hd_changes.maps)
        return false;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].state != HD_TH_FINISHED && !hd.thread[i].exiting)
            return false;
    return true;
}

/* ---- reports ---------------------------------------------------------------------------- */

static void describe(struct hd_finding *f, struct hd_block_info *b, uint32_t lost, uint64_t bytes,
                     uint32_t expected)
{
    b->count = lost;
    b->expected = expected;
    f->kind = HD_FK_LEAK;
    f->tid = HD_NO_TID;
    f->pc = b->allocated.pc;
    size_t n = hd_format(f->message, sizeof f->message,
                         "%u block%s (%lu bytes) %s lost at the end of this execution; in another "
                         "order of the threads ", lost, lost == 1 ? "" : "s", (unsigned long)bytes,
                         lost == 1 ? "is" : "are");

    if (expected == 0)
        hd_format(f->message + n, sizeof f->message - n, "none from there");
    else
        hd_format(f->message + n, sizeof f->message - n, "only %u from there", expected);
}

static void report_now(const struct hd_leak_site *s, uint32_t expected)
{
    struct hd_finding f = { 0 };
    struct hd_block_info b = s->block;

    describe(&f, &b, s->now, s->bytes, expected);
    hd_finding_emit(&f, NULL, &(struct hd_evidence){ .block = &b }, false);
}

static void report_first(const struct hd_leak_site *s)
{
    struct hd_finding f = { 0 };
    struct hd_block_info b = s->first_block;

    describe(&f, &b, s->first, s->first_bytes, s->now);
    hd_finding_emit_kept(&f, &(struct hd_evidence){ .block = &b });
}

static void judge(struct hd_leaks *l)
{
    for (uint32_t i = 0; i < l->nsites; i++)
        switch (hd_leaks_judge(l, &l->sites[i])) {
        case HD_LEAK_NOW:
            report_now(&l->sites[i], l->sites[i].least);
            break;
        case HD_LEAK_FIRST:
            report_first(&l->sites[i]);
            break;
        default:
            break;
        }
    if (l->executions == 0 && l->nsites > 0)
        hd_finding_keep();
}

/* The conductor gives a replay the site, and the number of blocks that other executions have lost there. */
static void judge_replay(const struct hd_leaks *l)
{
    for (uint32_t i = 0; i < l->nsites; i++)
        if (l->sites[i].site == hd.cfg->leak_site && l->sites[i].now > hd.cfg->leak_expected)
            report_now(&l->sites[i], hd.cfg->leak_expected);
}

static void look(void)
{
    struct hd_leaks *l = &hd.wire->leaks;
    uint64_t left = hd_heap_live_hash();
    uint64_t *seen = &l->seen[left % HD_LEAK_SEEN];

    if (!is_clean() || (l->executions > 0 && *seen == left + 1))
        return;
    hd_leaks_begin(l);
    if (left != 0) {
        scan_all();
        hd_heap_each_live(count, l);
    }
    if (hd.cfg->replay)
        judge_replay(l);
    else
        judge(l);
    hd_leaks_end(l);
    *seen = left + 1;
}

const struct hd_detector hd_detector_leak = { .end = look };
