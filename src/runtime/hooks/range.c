/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range.c - memory of the target that libc or the kernel reads or writes inside another operation. */
#include "runtime/hooks/range.h"
#include "base/check.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/progress/poll.h"
#include "runtime/restore/alias.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/plain_log.h"
#include "runtime/watch/witness.h"

enum { MOST = 1 << 20 }; /* maximum number of bytes that are checked: a call with a wrong length
                          * fails later, in the kernel */

static bool is_own_stack(uintptr_t addr)
{
    return addr - hd.stack_lo < hd.stack_len;
}

HD_COLD void hd_range_of_text(const char *s, uint64_t pc)
{
    if (s != NULL && hd.cur != NULL && hd_watched(pc))
        hd_range_of_call(s, hd_length(s) + 1, false, pc);
}

HD_COLD void hd_range_of_call(const void *p, size_t n, bool write, uint64_t pc)
{
    uintptr_t addr = hd_canonical((uintptr_t)p);
    size_t size = n < MOST ? n : MOST;

    if (p == NULL || n == 0 || hd.cur == NULL)
        return;
    if ((hd.access_mode & HD_MODE_POINTS) && hd.exec->nthreads > 1 && !is_own_stack(addr))
        hd_fact(HD_FACT_CALL_ACCESS);
    if (HD_UNLIKELY(hd.witness != 0)) {
        hd_witness_access(addr, size, write, pc);
        hd_plain_log(addr, size, write, pc);
    }
    if (write && (hd.access_mode & HD_MODE_WATCH))
        hd_poll_written(addr, size);
    hd_memcheck((uintptr_t)p, size, write, pc, hd.stack_lo, hd.stack_len);
    hd_range_races(p, size, write, pc);
}
