/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result_unused.c - follows the code after a call until rax is read or written.
 *
 * A call through the procedure linkage table or a pointer ends the search, since the callee may
 * overwrite rax.  A call to a function of the same object does not, since the compiler may know which
 * registers that function preserves.  No libc. */
#include "runtime/watch/result_unused.h"

#include "base/limits.h"
#include "runtime/sys/instruction.h"

#include <stddef.h>

enum { MAX_INSTRUCTIONS = 48 };

static bool is_unread(const uint8_t *at, unsigned *left);

/* True if the result is not read after a jump to the target either. */
static bool is_unread_at(const uint8_t *target, unsigned *left)
{
    return target != NULL && (hd_instruction_linkage(target) != 0 || is_unread(target, left));
}

static bool is_unread(const uint8_t *at, unsigned *left)
{
    struct hd_instruction i;

    for (; *left > 0 && hd_instruction_read(at, &i); at = i.next) {
        --*left;
        if (i.reads >> HD_RAX & 1)
            return false;
        if (i.writes >> HD_RAX & 1)
            return true;
        if (i.flow == HD_CODE_RETURNS)
            return false;
        if (i.flow == HD_CODE_CALLS)
            return i.target == NULL || hd_instruction_linkage(i.target) != 0;
        if (i.flow == HD_CODE_JUMPS)
            return is_unread_at(i.target, left);
        if (i.flow == HD_CODE_BRANCHES && !is_unread_at(i.target, left))
            return false;
    }
    *left = 0;
    return false;
}

bool hd_result_is_unused(uint64_t pc)
{
    enum { KNOWN = HD_LIMIT(64, 2) };
    static struct {
        uint64_t pc;
        bool unused;
    } known[KNOWN];
    unsigned i = (unsigned)(pc ^ pc >> 6) % KNOWN, left = MAX_INSTRUCTIONS;

    if (known[i].pc != pc) {
        known[i].unused = is_unread((const uint8_t *)pc, &left);
        known[i].pc = pc;
    }
    return known[i].unused;
}
