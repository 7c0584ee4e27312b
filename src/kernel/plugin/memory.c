/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - finds the instructions that race, and accesses to freed memory.
 *
 * A location that two contexts access, one of them by a write, is shared.  An instruction that accesses it while
 * interrupts are enabled is a racing site: an interrupt before it decides which context comes first.  Each execution
 * may find new sites, which are points from the next one on.
 *
 * M1  A thread's accesses to its own stack are ignored.  So if other threads use an object on that stack, its
 *     owner's accesses to it are missed. */
#include <string.h>

#include "kernel/plugin/state.h"

#define BLOCKS 256
#define BELOW_SP 512 /* M1: local variables are at most this far below the last push */

#define CLI 0xfau /* the instruction */

static bool before[HD_K_CODE]; /* by address - code_low: a site is there */
static uint32_t object_of[HD_K_SITES]; /* address that each site accessed last */
static struct block {
    uint32_t address, bytes, pc;
    uint16_t by;
} freed[BLOCKS];
static unsigned nfreed;

void hd_memory_begin(void)
{
    struct hd_klink *l = hd_kp.link;

    hd_cells_begin();
    nfreed = 0;
    for (l->active = 0; l->active < l->nsites; l->active++)
        before[l->sites[l->active] - l->code_low] = true;
}

enum hd_k_why hd_memory_before(uint32_t address)
{
    const struct hd_klink *l = hd_kp.link;

    if (address < l->code_low || address >= l->code_high)
        return HD_KW_NONE;
    if (before[address - l->code_low])
        return HD_KW_ACCESS;
    /* read here, and not noted when QEMU translates it: then the first execution would have other points */
    return (hd_guest_word(l, hd_kp.ram, address) & 0xff) == CLI ? HD_KW_CLI : HD_KW_NONE;
}

static int site_number(uint32_t address)
{
    const struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nsites; k++)
        if (l->sites[k] == address)
            return (int)k;
    return -1;
}

uint32_t hd_memory_object(uint32_t address)
{
    int k = site_number(address);

    return k < 0 ? 0 : object_of[k];
}

static void add_site(uint32_t address, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;
    int k = site_number(address);

    if (k < 0 && l->nsites < HD_K_SITES) {
        k = (int)l->nsites;
        l->sites[l->nsites++] = address;
    }
    if (k >= 0)
        object_of[k] = object;
}

static bool own_stack(uint32_t address)
{
    const struct hd_klink *l = hd_kp.link;

    return l->context[hd_kp.current].block == (address & ~(l->stack - 1)) &&
           address + BELOW_SP >= hd_kp.sp;
}

static void learn(const struct hd_insn *i, uint32_t address, bool store)
{
    const struct hd_cell *c = hd_cells_access(address / 4, hd_kp_actor(), store, hd_kp.enabled ? i->address : 0);

    for (unsigned k = 0; c != NULL && k < c->nsites; k++)
        add_site((uint32_t)c->site[k], address);
}

static const struct block *freed_block(uint32_t address)
{
    for (unsigned k = 0; k < nfreed; k++)
        if (address - freed[k].address < freed[k].bytes)
            return &freed[k];
    return NULL;
}

static bool in_allocator(void)
{
    const struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];

    return hd_context_is_in(c, HD_KR_FREED) || hd_context_is_in(c, HD_KR_ALLOCATED);
}

void hd_memory_access(const struct hd_insn *i, uint32_t address, unsigned bytes, bool store)
{
    const struct block *b = nfreed > 0 ? freed_block(address) : NULL;

    (void)bytes;
    if (b != NULL && !in_allocator()) {
        hd_kp.link->freed_by = b->by;
        hd_kp.link->freed_pc = b->pc;
        hd_choose_end(HD_KE_FREED, address);
        return;
    }
    if (hd_kp.link->recorded || i->op != HD_OP_OTHER || own_stack(address) || hd_kp_role(i->address) == HD_KR_QUIET)
        return;
    learn(i, address, store);
}

void hd_memory_freed(uint32_t address, uint32_t bytes, uint32_t pc)
{
    if (bytes == 0 || nfreed == BLOCKS)
        return;
    hd_memory_given(address, bytes);
    freed[nfreed++] = (struct block){ address, bytes, pc, hd_kp.current };
}

void hd_memory_given(uint32_t address, uint32_t bytes)
{
    for (unsigned k = 0; k < nfreed; k++)
        if (freed[k].address < address + bytes && address < freed[k].address + freed[k].bytes)
            freed[k--] = freed[--nfreed];
}
