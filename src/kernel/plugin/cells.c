/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cells.c - records which contexts access which memory in this execution.  Finds the locations that several contexts
 * access, at least one of them by a write, and the sites of these accesses. */
#include "kernel/plugin/state.h"

#define CELLS (1u << 17)
#define TRIES 16

static struct hd_cell cells[CELLS];
static uint32_t execution;

void hd_cells_begin(void)
{
    execution++;
}

static struct hd_cell *cell_of(uint64_t unit, uint16_t actor)
{
    for (uint32_t at = (uint32_t)hd_hash_mix(0, unit), n = 0; n < TRIES; n++, at++) {
        struct hd_cell *c = &cells[at % CELLS];

        if (c->execution != execution) {
            *c = (struct hd_cell){ .execution = execution, .unit = unit, .actor = actor };
            return c;
        }
        if (c->unit == unit)
            return c;
    }
    return NULL; /* the table is full: the location is ignored */
}

const struct hd_cell *hd_cells_access(uint64_t unit, uint16_t actor, bool store, uint64_t site)
{
    struct hd_cell *c = cell_of(unit, actor);
    unsigned k = 0;

    if (c == NULL)
        return NULL;
    c->shared |= c->actor != actor;
    c->written |= store;
    while (k < c->nsites && c->site[k] != site)
        k++;
    if (site != 0 && k == c->nsites && k < HD_CELL_SITES)
        c->site[c->nsites++] = site;
    return c->shared && c->written ? c : NULL;
}
