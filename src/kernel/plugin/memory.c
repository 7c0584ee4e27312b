/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - what accesses tell: which instructions race, and which touch memory that was freed.
 *
 * A location that two contexts access, one of them by a write, is shared.  An instruction that
 * accesses it while interrupts are enabled is a racing site: the interrupt before it decides who comes
 * first.  Sites are learnt in every execution and are points from the next one on.
 *
 * M1  A thread's accesses to its own stack are its own business.  The end of the stack is known only
 *     roughly, so an object on a stack that others use is not noticed by its owner. */
#include <string.h>

#include "kernel/plugin/state.h"

#define BLOCKS 256
#define BELOW_SP 512 /* M1: locals are not far below the last push */

enum { BEFORE_CLI = 1, BEFORE_SITE = 2 };

static uint8_t before[HD_K_CODE];
static uint32_t object_of[HD_K_SITES]; /* what the site accessed last */
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
        before[l->sites[l->active] - l->code_low] |= BEFORE_SITE;
}

void hd_memory_cli(uint32_t address)
{
    before[address - hd_kp.link->code_low] |= BEFORE_CLI;
}

enum hd_k_why hd_memory_before(uint32_t address)
{
    const struct hd_klink *l = hd_kp.link;

    if (address < l->code_low || address >= l->code_high)
        return HD_KW_NONE;
    uint8_t b = before[address - l->code_low];

    return b & BEFORE_SITE ? HD_KW_ACCESS : b & BEFORE_CLI ? HD_KW_CLI : HD_KW_NONE;
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
