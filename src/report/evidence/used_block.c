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

/* Names the memory that was used.  A text by thread and offset is no name. */
static bool name_of(const struct hd_report *r, struct hd_memory *m)
{
    uint64_t at = r->finding->address - HD_HEAP_BASE;

    if (r->finding->address == 0 || at >= HD_HEAP_BYTES)
        return false;
    return hd_memory_name(r, hd_cname_make(HD_REG_HEAP, (unsigned)(at / HD_HEAP_STRIDE), at % HD_HEAP_STRIDE),
                          r->finding->address, m);
}

void hd_used_block_message(const struct hd_report *r, char *buf, size_t cap)
{
    struct hd_memory m;

    hd_describe_message(r, buf, cap);
    char *text = hd_copied(buf);
    char *who = strchr(text, ' ');
    char *size = who != NULL ? strpbrk(who, "0123456789") : NULL, *rest = strchr(text, ',');

    if (size != NULL && rest != NULL && size < rest && name_of(r, &m))
        snprintf(buf, cap, "%.*s%s%s", (int)(size - text), text, m.name, rest);
    free(text);
}
