/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map.c - memory that an execution maps, moves and unmaps.
 *
 * I1  If the program lets the kernel choose the address, the address depends on the history of the
 *     thread only (hd_process_place), so that it is the same in every execution.
 * I2  At the end of an execution the runtime unmaps all memory that the execution has mapped, and
 *     moves the break back.
 * I3  Memory from before main is part of the snapshot or of the program's image.  If an execution
 *     maps over it, moves it or unmaps it, Heddle cannot restore it in process: the process is not
 *     used again.
 * I4  An access fails if its memory is not mapped, but no kind of operation expresses this dependence.  So if memory
 *     is unmapped, moved or protected while other threads exist, a reduced search makes no claim. */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/hooks/range.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/restore/alias.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/unseen_probe.h"

static bool is_error(long r)
{
    return r < 0 && r >= -4095;
}

static long result(long r)
{
    if (!is_error(r))
        return r;
    errno = (int)-r;
    return -1;
}

/* I3: the process is not used again after this execution. */
static HD_COLD void lose_process(const char *why)
{
    hd_needs_fork(why);
    hd_execution_taint(); /* also if the user asked for isolation in process */
}

static HD_COLD void lose_memory(const void *at, size_t n, const char *why)
{
    lose_process(why);
    hd_snapshot_forget((uintptr_t)at, (uintptr_t)at + n);
}

/* Notes that the range belongs to the execution, which is about to map it. */
static void claim(uintptr_t at, size_t n)
{
    if (!hd_process_is_placed((void *)at, n) && !hd_process_note_mapping((void *)at, n))
        lose_process("it maps memory at very many addresses of its own choice");
}

/* Maps memory at an address that the program names.  With MAP_FIXED it replaces existing mappings;
 * otherwise it fails with EEXIST if there are any. */
static long map_there(uintptr_t at, size_t n, int prot, int flags, int fd, off_t offset)
{
    long r = hd_sys6(SYS_mmap, (long)at, (long)n, prot, (flags & ~MAP_FIXED) | MAP_FIXED_NOREPLACE, fd,
                     offset);

    if (!is_error(r)) {
        claim((uintptr_t)r, n);
        return r;
    }
    if (r != -EEXIST || (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != MAP_FIXED)
        return r;
    if (!hd_process_is_placed((void *)at, n))
        lose_memory((void *)at, n, "it maps memory over that of the program (MAP_FIXED)");
    return hd_sys6(SYS_mmap, (long)at, (long)n, prot, flags, fd, offset);
}

/* I1: maps memory at an address that the runtime chooses. */
static long map_anywhere(size_t n, int prot, int flags, int fd, off_t offset)
{
    void *at = flags & MAP_32BIT ? hd_process_place_low(n) : hd_process_place(n);
    long fixed = at != NULL ? MAP_FIXED_NOREPLACE : 0;
    long r = hd_sys6(SYS_mmap, (long)at, (long)n, prot, flags | fixed, fd, offset);

    if (at == NULL && !is_error(r))
        claim((uintptr_t)r, n); /* no room in the runtime's range: the kernel chose the address */
    return r;
}

static long map_controlled(void *addr, size_t n, int prot, int flags, int fd, off_t offset)
{
    long r = -EEXIST;

    if ((flags & MAP_TYPE) != MAP_PRIVATE)
        hd_maps_shared_memory();
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        return map_there((uintptr_t)addr, n, prot, flags, fd, offset);
    if (addr != NULL) /* the address is only a hint */
        r = map_there(HD_PAGE_FLOOR(addr), n, prot, flags, fd, offset);
    return is_error(r) ? map_anywhere(n, prot, flags, fd, offset) : r;
}

/* Calls the kernel directly, because mmap is called before anything is initialised. */
static void *map(void *addr, size_t n, int prot, int flags, int fd, off_t at)
{
    if (HD_UNLIKELY((prot & PROT_EXEC) != 0))
        hd_probe_code_made();
    if (hd.cur == NULL)
        return (void *)result(hd_sys6(SYS_mmap, (long)addr, (long)n, prot, flags, fd, at));
    long r = map_controlled(addr, n, prot, flags, fd, at);

    if (!is_error(r) && (flags & MAP_ANONYMOUS) == 0)
        hd_files_mapped(fd);
    if (!is_error(r) && (flags & MAP_TYPE) != MAP_PRIVATE && (flags & MAP_ANONYMOUS) == 0)
        hd_alias_mapped_file((uintptr_t)r, n, fd, (uint64_t)at);
    return (void *)result(r);
}

HD_EXPORT void *mmap(void *addr, size_t n, int prot, int flags, int fd, off_t at)
{
    hd_tx_calls_kernel(HD_RETURN_PC);
    return map(addr, n, prot, flags, fd, at);
}

HD_EXPORT void *mmap64(void *addr, size_t n, int prot, int flags, int fd, off64_t at)
{
    hd_tx_calls_kernel(HD_RETURN_PC);
    return map(addr, n, prot, flags, fd, at);
}

HD_EXPORT int munmap(void *addr, size_t n)
{
    if (hd.cur == NULL)
        return (int)result(hd_sys(SYS_munmap, addr, n, 0));
    hd_tx_calls_kernel(HD_RETURN_PC);
    hd_maps_other_memory();
    if (!hd_alias_may_unmap((uintptr_t)addr, n))
        return 0;
    if (!hd_process_is_placed(addr, n))
        lose_memory(addr, n, "it unmaps memory that it has not mapped itself (munmap)");
    return (int)result(hd_sys(SYS_munmap, addr, n, 0));
}

static int model_madvise(void *addr, size_t n, int advice, uint64_t pc)
{
    if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE) { /* the contents are lost */
        hd_maps_other_memory();
        hd_range_of_call(addr, n, true, pc);
    }
    return HD_REAL(madvise)(addr, n, advice);
}

/* ---- moving ---------------------------------------------------------------------------- */

static long move(uintptr_t from, size_t old, size_t n, int flags, uintptr_t to)
{
    return hd_sys6(SYS_mremap, (long)from, (long)old, (long)n, flags, (long)to, 0);
}

/* Moves memory to a given address.  The kernel replaces existing mappings there. */
static long move_there(uintptr_t from, size_t old, size_t n, int flags, uintptr_t to)
{
    long probe = hd_sys6(SYS_mmap, (long)to, (long)n, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if (!is_error(probe))
        claim(to, n);
    else if (!hd_process_is_placed((void *)to, n))
        lose_memory((void *)to, n, "it moves memory over that of the program (mremap)");
    return move(from, old, n, flags, to);
}

/* In a native run, a mapping can grow in place if by chance nothing follows it.  Here it never can,
 * because the next mapping is placed directly after it (I1). */
static long remap(uintptr_t from, size_t old, size_t n, int flags, uintptr_t to)
{
    if (old == 0 || hd_alias_has(from, old))
        hd_uncontrolled("mremap of shared memory: it may have two addresses");
    hd_maps_other_memory();
    if (!hd_process_is_placed((void *)from, old))
        lose_memory((void *)from, old, "it moves memory that it has not mapped itself (mremap)");
    if (flags & MREMAP_FIXED)
        return move_there(from, old, n, flags, to);
    if (HD_PAGE_CEIL(n) <= HD_PAGE_CEIL(old) && old != 0 && (flags & ~MREMAP_MAYMOVE) == 0)
        return move(from, old, n, flags, 0);
    if ((flags & MREMAP_MAYMOVE) == 0)
        return -ENOMEM;
    void *place = hd_process_place(n);

    if (place == NULL)
        return -ENOMEM;
    return move(from, old, n, flags | MREMAP_FIXED, (uintptr_t)place);
}

HD_EXPORT void *mremap(void *addr, size_t old, size_t n, int flags, ...)
{
    va_list args;
    void *to;

    va_start(args, flags);
    to = va_arg(args, void *);
    va_end(args);
    if (hd.cur == NULL)
        return (void *)result(move((uintptr_t)addr, old, n, flags, (uintptr_t)to));
    hd_tx_calls_kernel(HD_RETURN_PC);
    return (void *)result(remap((uintptr_t)addr, old, n, flags, (uintptr_t)to));
}

/* ---- the break --------------------------------------------------------------------------- */

/* libc keeps the break in its memory too; the snapshot restores that copy. */
static void before_break(uint64_t pc)
{
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_LIMITS, pc);
    hd_process_note_break();
}

static void after_break(void)
{
    uintptr_t now = (uintptr_t)hd_sys(SYS_brk, 0, 0, 0);

    if (now < hd_process_break_before())
        lose_memory((void *)now, hd_process_break_before() - now,
                    "it gives memory from before main back (brk)");
}

static int model_brk(void *end, uint64_t pc)
{
    before_break(pc);
    int rc = HD_REAL(brk)(end);

    after_break();
    return rc;
}

HD_EXPORT void *sbrk(intptr_t more)
{
    if (hd.cur == NULL || more == 0)
        return HD_REAL(sbrk)(more);
    before_break(HD_PC);
    void *before = HD_REAL(sbrk)(more);

    after_break();
    return before;
}

/* ---- protection ---------------------------------------------------------------------------- */

/* The protection of pages that Heddle watches must not change without its knowledge.  So the
 * runtime makes them ordinary pages first, and the process is not used again.  Mappings of the
 * execution itself are unmapped at its end, so they need no such care. */
HD_EXPORT int mprotect(void *addr, size_t n, int prot)
{
    hd_tx_calls_kernel(HD_RETURN_PC);
    if (HD_UNLIKELY((prot & PROT_EXEC) != 0))
        hd_probe_code_made();
    if (hd.cur != NULL)
        hd_maps_other_memory();
    if (hd.cur != NULL && !hd_process_is_placed(addr, n)) {
        hd_snapshot_touch(addr, n);
        lose_process("it changes the protection of its memory (mprotect)");
    }
    return (int)result(hd_sys(SYS_mprotect, addr, n, prot));
}

#define CALLS_MAP
#include "runtime/calls/calls.def"
