/* SPDX-License-Identifier: BSD-2-Clause
 *
 * value.c - texts for values of memory, formatted by the type of the memory, or as plain numbers if debug
 * information does not know the type.  A pointer is named by the object to which it points. */
#include "report/evidence/value.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "model/heap.h"
#include "report/evidence/describe.h"
#include "report/evidence/memory.h"

/* Writes an address in the heap as its thread and offset: the number itself means nothing to a
 * reader. */
static void heap_address(const struct hd_report *r, uint64_t offset, char *buf, size_t cap)
{
    hd_tid owner = hd_report_thread_of_slot(r, (unsigned)(offset / HD_HEAP_STRIDE));
    char who[16] = "";

    if (owner != 0)
        hd_describe_tid(owner, who, sizeof who);
    snprintf(buf, cap, "heap%s%s+0x%llx", owner != 0 ? " " : "", who,
             (unsigned long long)(offset % HD_HEAP_STRIDE));
}

/* Small numbers are printed in decimal, with sign.  All others may be bit patterns or addresses. */
static void put_untyped(const struct hd_report *r, const struct hd_bytes *b, char *buf, size_t cap)
{
    unsigned bits = 8 * b->bytes;
    int64_t v = (int64_t)b->value;

    if (bits < 64)
        v = (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
    if (v >= -65536 && v <= 1000000)
        snprintf(buf, cap, "%lld", (long long)v);
    else if (bits == 64 && b->value - HD_HEAP_BASE < HD_HEAP_BYTES)
        heap_address(r, b->value - HD_HEAP_BASE, buf, cap);
    else
        snprintf(buf, cap, "0x%llx",
                 (unsigned long long)(bits < 64 ? b->value & ((UINT64_C(1) << bits) - 1) : b->value));
}

/* ---- pointers ------------------------------------------------------------------------------- */

/* Returns the canonical name of an address; HD_REG_OTHER if the tool does not know its region. */
static hd_cname name_of(const struct hd_report *r, uint64_t addr)
{
    const struct hd_wire *w = r->wire;

    if (addr - HD_HEAP_BASE < HD_HEAP_BYTES)
        return hd_cname_make(HD_REG_HEAP, (unsigned)((addr - HD_HEAP_BASE) / HD_HEAP_STRIDE),
                             (addr - HD_HEAP_BASE) % HD_HEAP_STRIDE);
    for (uint32_t i = 0; i < w->nmodules; i++)
        if (addr >= w->modules[i].lo && addr < w->modules[i].hi)
            return hd_cname_make(HD_REG_MODULE, i, addr - w->modules[i].bias);
    return hd_cname_make(HD_REG_OTHER, 0, addr);
}

static void put_pointer(const struct hd_report *r, const struct hd_bytes *b, char *buf, size_t cap)
{
    hd_cname name = name_of(r, b->value);
    const char *whole = hd_cname_region(name) == HD_REG_MODULE
                            ? hd_symbols_object(r->symbols, hd_cname_index(name), hd_cname_offset(name)) : NULL;
    struct hd_memory m;

    if (b->value == 0)
        snprintf(buf, cap, "NULL");
    else if (hd_cname_region(name) == HD_REG_HEAP && hd_memory_block_text(r, b->value, buf, cap))
        return;
    else if (whole != NULL)
        snprintf(buf, cap, "&%s", whole);
    else if (hd_cname_region(name) == HD_REG_MODULE && hd_memory_name(r, name, b->value, &m) &&
             strchr(m.name, '+') == NULL)
        snprintf(buf, cap, "&%s", m.name);
    else
        put_untyped(r, b, buf, cap);
}

/* ---- values --------------------------------------------------------------------------------- */

static void put(const struct hd_report *r, hd_cname name, uint64_t addr, const struct hd_bytes *b, char *buf,
                size_t cap)
{
    buf[0] = '\0';
    switch (hd_memory_value(r, name, addr, b, buf, cap)) {
    case HD_VALUE_TEXT:
    case HD_VALUE_OPAQUE:
        break;
    case HD_VALUE_STRING:
        if (hd_symbols_string(r->symbols, b->value, buf, cap))
            break;
        put_pointer(r, b, buf, cap);
        break;
    case HD_VALUE_POINTER:
        put_pointer(r, b, buf, cap);
        break;
    default:
        put_untyped(r, b, buf, cap);
    }
}

void hd_value_text(const struct hd_report *r, hd_cname name, uint64_t addr, uint64_t value, unsigned bytes,
                   char *buf, size_t cap)
{
    struct hd_bytes b = { value, bytes };
    uint64_t key = hd_hash_mix(hd_hash_mix(hd_hash_mix(name, addr), value), bytes) | UINT64_C(1) << 63;
    const char *known;

    if (bytes < sizeof value)
        b.value &= (UINT64_C(1) << 8 * bytes) - 1;
    key = hd_hash_mix(key, (uintptr_t)r->finding + (r->witness != NULL)) | UINT64_C(1) << 63;
    known = hd_symbols_known(r->symbols, key);
    if (known != NULL) {
        snprintf(buf, cap, "%s", known);
        return;
    }
    put(r, name, addr, &b, buf, cap);
    hd_symbols_remember(r->symbols, key, buf);
}

void hd_describe_value(const struct hd_report *r, hd_cname name, uint64_t addr, uint64_t value, unsigned bytes,
                       char *buf, size_t cap)
{
    char text[128];

    hd_value_text(r, name, addr, value, bytes, text, sizeof text);
    snprintf(buf, cap, "%s%s", text[0] != '\0' ? " = " : "", text);
}
