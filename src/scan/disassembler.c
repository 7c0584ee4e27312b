/* SPDX-License-Identifier: BSD-2-Clause
 *
 * disassembler.c - opens Capstone.  Capstone crashes when an allocation fails, so it gets allocation functions
 * that never fail. */
#include "scan/disassembler.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"

static void *give(size_t n)
{
    return hd_resized(NULL, n, 1);
}

static void *resize(void *p, size_t n)
{
    return hd_resized(p, n, 1);
}

void hd_disassembler_open(csh *cs, cs_insn **insn)
{
    static bool told;
    cs_opt_mem memory = { give, hd_zeroed, resize, free, vsnprintf };

    if (!told)
        HD_INVARIANT(cs_option(0, CS_OPT_MEM, (size_t)&memory) == CS_ERR_OK, "the disassembler takes no allocator");
    told = true;
    HD_INVARIANT(cs_open(CS_ARCH_X86, CS_MODE_64, cs) == CS_ERR_OK, "no disassembler");
    cs_option(*cs, CS_OPT_DETAIL, CS_OPT_ON);
    *insn = hd_not_null(cs_malloc(*cs));
}

void hd_disassembler_close(csh *cs, cs_insn *insn)
{
    cs_free(insn, 1);
    cs_close(cs);
}
