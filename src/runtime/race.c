/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.c - feeds the race detector and reports what it finds.
 *
 * A race is reported once for each pair of places in the code: the same two lines
 * race in most executions, on many addresses. */
#include "runtime/race.h"

#include "runtime/mem.h"

#define MEMORY_BYTES (UINT64_C(1) << 36) /* sparse: what is used is four times what the program touches */
#define PAGES (1u << 20)
#define PAIRS 4096

struct hd_races hd_races;
static struct hd_arena memory;
static uint64_t reported[PAIRS]; /* hashes of pairs, open addressing */
static uint32_t nreported;

static bool is_new(const struct hd_race *race)
{
    uint64_t a = race->first.pc, b = race->second.pc;
    uint64_t pair = a < b ? hd_hash_mix(a, b) : hd_hash_mix(b, a);
    uint32_t i = (uint32_t)pair % PAIRS;

    pair |= 1;
    while (reported[i] != 0 && reported[i] != pair)
        i = (i + 1) % PAIRS;
    if (reported[i] == pair || nreported == PAIRS / 2)
        return false;
    reported[i] = pair;
    nreported++;
    return true;
}

static const char *access_text(const struct hd_race_access *a)
{
    if (a->atomic)
        return a->write ? "writes (atomic)" : "reads (atomic)";
    return a->write ? "writes" : "reads";
}

static void found(void *ctx, const struct hd_race *race)
{
    (void)ctx;
    if (!is_new(race)) {
        hd.exec->findings++;
        return;
    }
    hd_report(HD_FK_DATA_RACE, race->second.pc,
              "T%u %s %u bytes at %p that T%u %s at %p, and nothing orders the two",
              race->second.tid, access_text(&race->second), race->size, (void *)race->addr,
              race->first.tid, access_text(&race->first), (void *)(uintptr_t)race->first.pc);
}

void hd_race_start(void)
{
    if (!hd.cfg->races)
        return;
    memory.size = MEMORY_BYTES;
    memory.base = hd_mem_map(0, memory.size, PROT_READ | PROT_WRITE);
    HD_INVARIANT(memory.base != NULL, "no memory for the race detector");
    hd_races_init(&hd_races, &memory, HD_MAX_OBJECTS, PAGES, found, NULL);
}

void hd_race_begin(void)
{
    if (memory.base == NULL)
        return;
    hd_races_begin(&hd_races);
    hd.races = true;
}

void hd_race_end(void)
{
    hd.races = false;
}

void hd_race_event(const struct hd_event *e)
{
    hd_races_event(&hd_races, e, hd.wire->common->objects[e->obj].addr);
}
