/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - names memory by its variable, its member, or the block around it (names/blocks.c). */
#include "report/evidence/memory.h"

#include <stdio.h>
#include <string.h>

#include "model/heap.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/names/operand.h"

/* Returns the blocks that can be named: those of the replay, which also has the plain accesses, or those
 * of the record. */
static const struct hd_named_block *blocks_of(const struct hd_report *r, uint32_t *n)
{
    if (r->witness != NULL && r->witness->nnamed > 0) {
        *n = r->witness->nnamed;
        return r->witness->named;
    }
    const struct hd_section *s = hd_finding_section(r->finding, HD_SEC_NAMED_BLOCKS, HD_NO_TID);

    *n = s != NULL ? s->count : 0;
    return s != NULL ? (const struct hd_named_block *)(const void *)(s + 1) : NULL;
}

uint64_t hd_memory_heap_address(hd_cname name)
{
    return HD_HEAP_BASE + hd_cname_index(name) * HD_HEAP_STRIDE + hd_cname_offset(name);
}

const struct hd_block_info *hd_memory_block(const struct hd_report *r, uint64_t addr)
{
    uint32_t n;
    const struct hd_named_block *b = blocks_of(r, &n);

    for (uint32_t i = 0; i < n; i++)
        if (addr - b[i].block.addr < b[i].block.size)
            return &b[i].block;
    return NULL;
}

/* Writes the type for which a block was allocated. */
static void type_of_block(const struct hd_report *r, const struct hd_named_block *b, char *buf, size_t cap)
{
    if (!hd_symbols_block(r->symbols, b, buf, cap))
        snprintf(buf, cap, "block");
}

/* Returns the number of the block among those of its type.  Blocks allocated at one place are numbered in their
 * names ("node#2.next"); blocks from several places are numbered in the order of their addresses. */
static uint32_t number_of_block(const struct hd_report *r, const struct hd_named_block *b, const char *type)
{
    uint32_t n, rank = 1, alike = 0;
    const struct hd_named_block *all = blocks_of(r, &n);
    bool one_place = true;
    char other[128];

    for (uint32_t i = 0; i < n; i++) {
        type_of_block(r, &all[i], other, sizeof other);
        if (strcmp(type, other) != 0)
            continue;
        alike++;
        rank += all[i].block.addr < b->block.addr;
        one_place &= all[i].block.allocated.pc == b->block.allocated.pc;
    }
    if (one_place)
        return b->of > 1 ? b->nth : 0;
    return alike > 1 ? rank : 0;
}

bool hd_memory_block_text(const struct hd_report *r, uint64_t addr, char *buf, size_t cap)
{
    uint32_t n, number;
    const struct hd_named_block *all = blocks_of(r, &n), *b = NULL;
    char type[128], at[32] = "", inside[32] = "";

    for (uint32_t i = 0; i < n && b == NULL; i++)
        if (addr - all[i].block.addr < all[i].block.size)
            b = &all[i];
    if (b == NULL)
        return false;
    type_of_block(r, b, type, sizeof type);
    number = number_of_block(r, b, type);
    if (number != 0)
        snprintf(at, sizeof at, "#%u", number);
    if (addr != b->block.addr)
        snprintf(inside, sizeof inside, "+%llu", (unsigned long long)(addr - b->block.addr));
    snprintf(buf, cap, "%s%s%s", type, at, inside);
    return true;
}

/* ---- variables ---------------------------------------------------------------------------- */

static const struct hd_stack_image *stack_of(const void *ctx, unsigned slot)
{
    const struct hd_report *r = ctx;
    hd_tid tid = hd_report_thread_of_slot(r, slot);
    const struct hd_section *s =
        tid != HD_NO_TID ? hd_finding_section(r->finding, HD_SEC_STACK, tid) : NULL;

    return s != NULL && s->bytes >= sizeof(struct hd_stack_image)
               ? (const struct hd_stack_image *)(const void *)(s + 1) : NULL;
}

/* Splits "sum (in main)". */
static void split(struct hd_memory *m)
{
    char *in = strstr(m->name, " (in ");

    if (in == NULL)
        return;
    snprintf(m->function, sizeof m->function, "%.*s", (int)strlen(in + 5) - 1, in + 5);
    *in = '\0';
}

/* Stores the stack of the thread at the end, then those that a replay captured.  Returns their number. */
static unsigned stacks_of(const struct hd_report *r, unsigned slot,
                          const struct hd_stack_image *out[HD_WITNESS_EVENTS + 2])
{
    const struct hd_witness *w = r->witness;
    hd_tid owner = hd_report_thread_of_slot(r, slot);
    unsigned n = 0;

    if (stack_of(r, slot) != NULL)
        out[n++] = stack_of(r, slot);
    for (uint32_t i = 0; w != NULL && i < w->nwanted; i++)
        if (w->event[i].pc != 0 && w->event[i].tid == owner)
            out[n++] = &w->event[i].image;
    if (w != NULL && r->race != NULL && r->race->race.first.tid == owner)
        out[n++] = &w->first.image;
    return n;
}

static bool name_local(const struct hd_report *r, unsigned slot, uint64_t addr, struct hd_memory *m)
{
    const struct hd_stack_image *stack[HD_WITNESS_EVENTS + 2];
    unsigned n = stacks_of(r, slot, stack);

    for (unsigned i = 0; i < n; i++)
        if (hd_symbols_local(r->symbols, stack[i], addr, m->name, sizeof m->name, m->type, sizeof m->type)) {
            split(m);
            return true;
        }
    return false;
}

static enum hd_value_kind local_value(const struct hd_report *r, unsigned slot, uint64_t addr,
                                      const struct hd_bytes *b, char *buf, size_t cap)
{
    const struct hd_stack_image *stack[HD_WITNESS_EVENTS + 2];
    unsigned n = stacks_of(r, slot, stack);
    enum hd_value_kind kind = HD_VALUE_UNKNOWN;

    for (unsigned i = 0; i < n && kind == HD_VALUE_UNKNOWN; i++)
        kind = hd_value_local(r->symbols, stack[i], addr, b, buf, cap);
    return kind;
}

static bool name_heap(const struct hd_report *r, uint64_t addr, struct hd_memory *m)
{
    struct hd_heap_view v = { .stack = stack_of, .ctx = r };

    v.blocks = blocks_of(r, &v.n);
    return hd_symbols_heap(r->symbols, &v, addr, m->name, sizeof m->name, m->type, sizeof m->type);
}

enum hd_value_kind hd_memory_value(const struct hd_report *r, hd_cname name, uint64_t addr,
                                   const struct hd_bytes *b, char *buf, size_t cap)
{
    struct hd_heap_view v = { .stack = stack_of, .ctx = r };
    unsigned index = hd_cname_index(name);

    switch (hd_cname_region(name)) {
    case HD_REG_MODULE:
        return hd_value_static(r->symbols, index, hd_cname_offset(name), b, buf, cap);
    case HD_REG_HEAP:
        v.blocks = blocks_of(r, &v.n);
        return hd_value_heap(r->symbols, &v, addr, b, buf, cap);
    case HD_REG_STACK:
        return local_value(r, index, addr, b, buf, cap);
    default:
        return HD_VALUE_UNKNOWN;
    }
}

/* ---- memory without a name ------------------------------------------------------------------ */

static void by_place(const struct hd_report *r, const char *what, hd_cname name, struct hd_memory *m)
{
    char owner[32];

    hd_describe_tid(hd_report_thread_of_slot(r, hd_cname_index(name)), owner, sizeof owner);
    snprintf(m->name, sizeof m->name, "%s of %s +0x%llx", what, owner,
             (unsigned long long)hd_cname_offset(name));
}

static void by_block(const struct hd_report *r, hd_cname name, uint64_t addr, struct hd_memory *m)
{
    const struct hd_block_info *b = hd_memory_block(r, addr);
    const char *made = b != NULL ? hd_symbols_site(r->symbols, b->allocated.pc) : "";

    if (made[0] == '\0')
        by_place(r, "heap", name, m);
    else
        snprintf(m->name, sizeof m->name, "block of %s+%llu", made, (unsigned long long)(addr - b->addr));
}

/* Names an object by the expression in the source line of its first operation. */
static bool by_line(const struct hd_report *r, hd_cname name, struct hd_memory *m)
{
    struct hd_frame f[HD_MAX_FRAMES];
    char line[512];

    for (uint32_t i = 0; i < r->nevents; i++) {
        uint32_t obj = r->events[i].obj;
        uint64_t pc = obj != 0 && obj < HD_MAX_OBJECTS && r->wire->common->objects[obj].name == name
                          ? hd_report_place(r, &r->events[i]) : 0;

        if (pc == 0)
            continue;
        const struct hd_frame *own =
            hd_symbols_own_frame(f, hd_symbols_frames(r->symbols, pc, true, f, HD_MAX_FRAMES));

        if (own->line > 0 && !hd_is_system_file(own->file) &&
            hd_source_line(own->file, own->line, line, sizeof line) &&
            hd_operand_of_line(line, r->wire->common->objects[obj].type == HD_OBJ_MEMORY, m->name,
                               sizeof m->name))
            return true;
    }
    m->name[0] = '\0';
    return false;
}

void hd_memory_unnamed(const struct hd_report *r, hd_cname name, uint64_t addr, struct hd_memory *m)
{
    m->type[0] = m->function[0] = '\0';
    if (by_line(r, name, m))
        return;
    if (hd_cname_region(name) == HD_REG_HEAP)
        by_block(r, name, addr, m);
    else if (hd_cname_region(name) == HD_REG_STACK)
        by_place(r, "stack", name, m);
    else
        snprintf(m->name, sizeof m->name, "0x%llx", (unsigned long long)addr);
}

bool hd_memory_name(const struct hd_report *r, hd_cname name, uint64_t addr, struct hd_memory *m)
{
    unsigned index = hd_cname_index(name);

    m->name[0] = m->type[0] = m->function[0] = '\0';
    switch (hd_cname_region(name)) {
    case HD_REG_MODULE:
        snprintf(m->name, sizeof m->name, "%s", hd_symbols_variable(r->symbols, index, hd_cname_offset(name)));
        hd_symbols_type(r->symbols, index, hd_cname_offset(name), m->type, sizeof m->type);
        return true;
    case HD_REG_HEAP:
        if (name_heap(r, addr, m))
            return true;
        break;
    case HD_REG_STACK:
        if (name_local(r, index, addr, m))
            return true;
        break;
    default:
        break;
    }
    hd_memory_unnamed(r, name, addr, m);
    return false;
}
