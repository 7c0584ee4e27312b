/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alias.c - the shared mappings of an execution, in the order in which they were made.  There are
 * few of them, so all searches are linear. */
#include "runtime/restore/alias.h"

#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"

enum { MAPPINGS = 256 };

struct mapping {
    uintptr_t lo, hi; /* lo == hi: unmapped */
    uint64_t device, inode; /* a System V segment has device UINT64_MAX and its id as inode */
    uint64_t offset;
    hd_tid by;
};

static struct mapping mappings[MAPPINGS];
static unsigned nmappings;

void hd_alias_begin(void)
{
    nmappings = 0;
}

static bool is_same_file(const struct mapping *a, const struct mapping *b)
{
    return a->device == b->device && a->inode == b->inode;
}

static bool have_common_pages(const struct mapping *a, const struct mapping *b)
{
    return is_same_file(a, b) && a->offset < b->offset + (b->hi - b->lo) &&
           b->offset < a->offset + (a->hi - a->lo);
}

/* The first of several mappings of the same memory becomes the canonical one.  Which one is first depends on the
 * order in which threads map, and no reduction knows that dependence. */
static void note(struct mapping m)
{
    if (nmappings == MAPPINGS) {
        hd_uncontrolled("more shared mappings than can be told apart: memory may have two addresses");
        hd.races = false;
        hd.writes = 0;
        return;
    }
    for (unsigned i = 0; i < nmappings; i++)
        if (have_common_pages(&mappings[i], &m)) {
            hd.access_mode |= HD_MODE_ALIAS;
            hd.writes = 0;
            if (mappings[i].by != m.by)
                hd_fact(HD_FACT_ALIAS);
        }
    mappings[nmappings++] = m;
}

void hd_alias_mapped_file(uintptr_t addr, size_t n, int fd, uint64_t offset)
{
    struct stat st;

    if (hd_sys(SYS_fstat, fd, &st, 0) == 0)
        note((struct mapping){ addr, addr + n, st.st_dev, st.st_ino, offset, hd.cur->tid });
}

void hd_alias_mapped_segment(uintptr_t addr, int id)
{
    struct shmid_ds ds;

    if (hd_sys(SYS_shmctl, id, IPC_STAT, &ds) >= 0)
        note((struct mapping){ addr, addr + ds.shm_segsz, UINT64_MAX, (uint64_t)id, 0, hd.cur->tid });
}

uintptr_t hd_alias_of(uintptr_t addr)
{
    const struct mapping *m = NULL;

    for (unsigned i = nmappings; m == NULL && i-- > 0;) /* newest first, because it may cover an older one */
        if (addr - mappings[i].lo < mappings[i].hi - mappings[i].lo)
            m = &mappings[i];
    if (m == NULL)
        return addr;
    uint64_t at = addr - m->lo + m->offset;

    for (const struct mapping *f = mappings; f < m; f++)
        if (is_same_file(f, m) && at - f->offset < f->hi - f->lo)
            return f->lo + (at - f->offset);
    return addr;
}

/* True if a later mapping shares pages with m, so that its addresses translate into those of m. */
static bool is_first_of_several(const struct mapping *m)
{
    for (const struct mapping *l = m + 1; l < mappings + nmappings; l++)
        if (have_common_pages(m, l))
            return true;
    return false;
}

bool hd_alias_has(uintptr_t addr, size_t n)
{
    for (const struct mapping *m = mappings; m < mappings + nmappings; m++)
        if (m->lo < addr + n && addr < m->hi)
            return true;
    return false;
}

bool hd_alias_may_unmap(uintptr_t addr, size_t n)
{
    bool may = true;

    for (struct mapping *m = mappings; m < mappings + nmappings; m++)
        if (m->lo < addr + n && addr < m->hi)
            may &= !is_first_of_several(m);
    for (struct mapping *m = mappings; may && m < mappings + nmappings; m++)
        if (addr <= m->lo && m->hi <= addr + n)
            m->hi = m->lo;
    return may;
}

bool hd_alias_may_detach(uintptr_t addr)
{
    return hd_alias_may_unmap(addr, 1);
}
