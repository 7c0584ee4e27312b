/* SPDX-License-Identifier: BSD-2-Clause
 *
 * used_block.c - see used_block.h. */
#include "report/evidence/used_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/heap.h"
#include "report/evidence/describe.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"

/* Names the memory that was used.  Returns false if it has no name; thread and offset do not count as one. */
static bool name_of(const struct hd_report *r, struct hd_memory *m)
{
    uint64_t at = r->finding->address - HD_HEAP_BASE;

    if (r->finding->address == 0 || at >= HD_HEAP_BYTES)
        return false;
    return hd_memory_name(r, hd_cname_make(HD_REG_HEAP, (unsigned)(at / HD_HEAP_STRIDE), at % HD_HEAP_STRIDE),
                          r->finding->address, m);
}

/* Returns the end of the operation in the text: the description of the block follows. */
static const char *end_of_operation(const char *text)
{
    static const char *const rests[] = { " for ", ", ", " right after ", " from offset ", " on the stack ", " at 0x" };
    const char *end = text + strlen(text);

    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        const char *at = strstr(text, rests[i]);

        if (at != NULL && at < end)
            end = at;
    }
    return end;
}

/* Returns the place where the block was freed, if the finding is a use or a free after that; otherwise "". */
static const char *freed_at(const struct hd_report *r)
{
    const struct hd_block_info *b = hd_report_block(r);
    bool freed = r->finding->kind == HD_FK_USE_AFTER_FREE || r->finding->kind == HD_FK_DOUBLE_FREE;

    return freed && b != NULL && b->freed.pc != 0 ? hd_symbols_site(r->symbols, b->freed.pc) : "";
}

void hd_used_block_message(const struct hd_report *r, char *buf, size_t cap)
{
    const char *here = hd_symbols_site(r->symbols, hd_report_failure_place(r)), *there = freed_at(r);
    struct hd_memory m = { .name = "" };

    hd_describe_message(r, buf, cap);
    char *text = hd_copied(buf);
    const char *rest = end_of_operation(text), *size = strpbrk(text + strcspn(text, " "), "0123456789");
    bool named = r->finding->kind == HD_FK_USE_AFTER_FREE && size != NULL && size < rest && name_of(r, &m);

    if (here[0] != '\0')
        snprintf(buf, cap, "%.*s%s at %s%s%s%s%s", (int)((named ? size : rest) - text), text, named ? m.name : "", here,
                 rest[0] == ',' || strncmp(rest, " for ", 5) == 0 ? "" : ",", rest, there[0] != '\0' ? " at " : "", there);
    free(text);
}
