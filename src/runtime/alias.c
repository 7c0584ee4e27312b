/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alias.c - the shared mappings of an execution, and which of them are the same memory. */
#include "runtime/alias.h"

#include <sys/stat.h>
#include <sys/syscall.h>

enum { MAX_MAPPINGS = 256 };

struct mapping {
    uintptr_t lo, hi;
    uint64_t dev, ino; /* of the file */
    uint64_t at;       /* where in it */
};

/* [lo, hi) is the memory at [first, ...). */
struct alias {
    uintptr_t lo, hi, first;
};

static struct mapping mappings[MAX_MAPPINGS];
static struct alias aliases[MAX_MAPPINGS];
static unsigned nmappings;
static uint32_t epoch; /* of both */
unsigned hd_naliases;

static void begin(void)
{
    if (epoch == hd.epoch)
        return;
    epoch = hd.epoch;
    nmappings = hd_naliases = 0;
}

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The part of the file that m and an earlier mapping have in common, if there is one. */
static void compare(const struct mapping *old, const struct mapping *m)
{
    uint64_t from = max64(old->at, m->at);
    uint64_t to = min64(old->at + (old->hi - old->lo), m->at + (m->hi - m->lo));

    if (old->dev != m->dev || old->ino != m->ino || from >= to)
        return;
    hd_fact(HD_FACT_ALIAS);
    if (hd_naliases < MAX_MAPPINGS)
        aliases[hd_naliases++] = (struct alias){ m->lo + (from - m->at), m->lo + (to - m->at),
                                                 hd_alias_first(old->lo + (from - old->at)) };
}

void hd_alias_mapped(uintptr_t addr, size_t n, int fd, uint64_t at)
{
    static struct stat s;
    struct mapping m = { addr, addr + n, 0, 0, at };

    begin();
    if (fd >= 0 && hd_sys(SYS_fstat, fd, &s, 0) != 0)
        return;
    m.dev = fd >= 0 ? s.st_dev : UINT64_MAX;
    m.ino = fd >= 0 ? s.st_ino : at;
    m.at = fd >= 0 ? at : 0;
    for (unsigned i = 0; i < nmappings; i++)
        compare(&mappings[i], &m);
    if (nmappings == MAX_MAPPINGS)
        hd_fact(HD_FACT_ALIAS); /* nobody knows */
    else
        mappings[nmappings++] = m;
}

static bool overlap(uintptr_t lo, uintptr_t hi, uintptr_t from, uintptr_t to)
{
    return lo < to && from < hi;
}

void hd_alias_unmapped(uintptr_t addr, size_t n)
{
    uintptr_t end = addr + n;

    begin();
    for (unsigned i = 0; i < nmappings;)
        if (overlap(mappings[i].lo, mappings[i].hi, addr, end))
            mappings[i] = mappings[--nmappings];
        else
            i++;
    for (unsigned i = 0; i < hd_naliases;) {
        const struct alias *a = &aliases[i];

        if (overlap(a->lo, a->hi, addr, end) ||
            overlap(a->first, a->first + (a->hi - a->lo), addr, end))
            aliases[i] = aliases[--hd_naliases];
        else
            i++;
    }
}

uintptr_t hd_alias_first(uintptr_t addr)
{
    begin();
    for (unsigned i = 0; i < hd_naliases; i++)
        if (addr >= aliases[i].lo && addr < aliases[i].hi)
            return aliases[i].first + (addr - aliases[i].lo);
    return addr;
}
