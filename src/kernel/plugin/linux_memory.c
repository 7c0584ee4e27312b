/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux_memory.c - finds the instructions of Linux after which an interrupt may matter.
 *
 * A location that two tasks of the test access, one of them by a write, is shared.  A bug becomes visible if the
 * other task runs just before such an access.  In code that can be preempted, the interrupt is injected after the
 * instruction that precedes the access; in a section that cannot be preempted, before the section begins. linux.c
 * finds that instruction.  This file records it as a site, which is a scheduling point from the next execution on. */
#include <string.h>

#include "kernel/plugin/state.h"

#define SLOTS (4 * HD_K_SITES)

static struct slot { /* a slot of a hash table of sites, by address */
    uint64_t address, object;
    bool active; /* the site was known when this execution began */
} slots[SLOTS];
static uint32_t nslots;

static struct slot *slot_of(uint64_t address)
{
    uint32_t at = (uint32_t)hd_hash_mix(0, address) % SLOTS;

    while (slots[at].address != 0 && slots[at].address != address)
        at = (at + 1) % SLOTS;
    return &slots[at];
}

/* A search uses the sites in the link; the replay of a schedule uses those of the schedule. */
void hd_linux_memory_begin(void)
{
    struct hd_klink *l = hd_kp.link;

    hd_cells_begin();
    if (l->recorded || nslots > l->nsites) {
        memset(slots, 0, sizeof slots);
        nslots = 0;
    }
    for (; nslots < l->nsites; nslots++)
        slot_of(l->sites[nslots])->address = l->sites[nslots];
    for (l->active = 0; l->active < l->nsites; l->active++)
        slot_of(l->sites[l->active])->active = true;
    if (l->recorded)
        for (uint32_t k = 0; k < l->nticks; k++)
            if (nslots < HD_K_SITES) {
                struct slot *s = slot_of(l->ticks[k].address);

                s->address = l->ticks[k].address;
                s->active = true;
            }
}

bool hd_linux_memory_is_site(uint64_t address, uint64_t *object)
{
    const struct slot *s = slot_of(address);

    *object = s->object;
    return s->address != 0 && s->active;
}

static void add_site(uint64_t site, uint64_t object)
{
    struct hd_klink *l = hd_kp.link;
    struct slot *s = slot_of(site);

    if (s->address == 0) {
        if (l->nsites == HD_K_SITES)
            return;
        s->address = site;
        l->sites[l->nsites++] = site;
        nslots = l->nsites;
    }
    s->object = object;
}

void hd_linux_memory_access(uint64_t address, bool store, uint64_t before)
{
    const struct hd_cell *c = hd_kp.link->recorded ? NULL : hd_cells_access(address / 8, hd_kp.current, store, before);

    for (unsigned k = 0; c != NULL && k < c->nsites; k++)
        add_site(c->site[k], address);
}
