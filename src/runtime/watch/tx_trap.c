/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_trap.c - see tx_trap.h. */
#include "runtime/watch/tx_trap.h"

#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/sys/text.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_state.h"

enum instruction { OTHER, BEGIN, END, ABORT, TEST };

enum { BEGIN_BYTES = 6, ABORT_BYTES = 3, TEST_BYTES = 3, ZERO_FLAG = 0x40, ARITHMETIC_FLAGS = 0x8d5 };

/* Reads no byte behind the instruction, which may be the last one of a page. */
static enum instruction decode(const unsigned char *code)
{
    if (code[0] == 0xc7)
        return code[1] == 0xf8 ? BEGIN : OTHER;
    if (code[0] == 0xc6)
        return code[1] == 0xf8 ? ABORT : OTHER;
    if (code[0] != 0x0f || code[1] != 0x01)
        return OTHER;
    return code[2] == 0xd5 ? END : code[2] == 0xd6 ? TEST : OTHER;
}

static void name_place(uint64_t pc)
{
    char text[300];

    hd_format(text, sizeof text, "transactional instructions that 'heddle cc' has not replaced: "
              "the transaction of %s+%p is aborted", hd_program_file(pc), (void *)hd_program_offset(pc));
    hd_uncontrolled(text);
}

/* Makes the target continue at the address that the xbegin gives for an abort, with status 0. */
static void abort_begin(greg_t *r, const unsigned char *code)
{
    int32_t distance;

    memcpy(&distance, code + 2, sizeof distance);
    r[REG_RAX] = 0;
    r[REG_RIP] += BEGIN_BYTES + distance;
}

bool hd_tx_trap(void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)r[REG_RIP];
    enum instruction got = decode(code);

    if (got == OTHER || (got == END && !hd_tx_active))
        return false;
    if (got == TEST) {
        r[REG_EFL] = (r[REG_EFL] & ~ARITHMETIC_FLAGS) | (hd_tx_active ? 0 : ZERO_FLAG);
        r[REG_RIP] += TEST_BYTES;
        return true;
    }
    if (got == BEGIN || hd_tx_active)
        name_place((uint64_t)r[REG_RIP]);
    if (hd_tx_active)
        hd_tx_abort_with(got == ABORT ? HD_TX_EXPLICIT | (uint32_t)code[2] << 24 : 0);
    if (got == BEGIN)
        abort_begin(r, code);
    else
        r[REG_RIP] += ABORT_BYTES;
    return true;
}
