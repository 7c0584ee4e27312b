/* SPDX-License-Identifier: BSD-2-Clause
 *
 * annotate.c - entry points of the TSan runtime that programmers call, not compilers: annotations, and the interfaces
 * for Java, debuggers and tests.  Each exists with its signature, because lazy binding hides a missing one until it
 * is called.
 *
 * A happens-before annotation is a visible operation on an object of its own.  The verdict lists it
 * as an assumption made by the user.  Annotations of hand-made locks have no effect: the lock's
 * atomics are instrumented and already order its users.  Annotations that silence TSan (ignore,
 * benign, expect) say nothing about the order of events and have no effect either. */

#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/hooks/atomic_ops.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/text.h"
#include "runtime/watch/plain.h"

#define WEAK __attribute__((weak))

/* ---- happens-before --------------------------------------------------------------- */

/* Heddle cannot check the declared order, so the verdict names the assumption. */
static HD_COLD void tell(uint64_t pc)
{
    static const char *told; /* the last file that was reported */
    const char *file = hd_program_file(pc);
    char text[200];

    if (told == file)
        return;
    told = file;
    hd_format(text, sizeof text, "orders that %s declares (heddle_acquire, heddle_release, __tsan_acquire, "
              "__tsan_release or their like) are assumed to be true", file);
    hd_qualified(text);
}

/* The address may also hold data or a mutex.  Objects of another type at the same address are
 * distinct, so the annotation does not affect them. */
static void order(const volatile void *addr, uint64_t pc)
{
    if (hd.cur == NULL)
        return;
    tell(pc);
    hd_op(HD_EV_UNKNOWN, hd_object(addr, HD_OBJ_UNKNOWN), NULL, pc);
    hd_done(0, 0);
}

#define ORDER(name)                              \
    HD_EXPORT void name(void *addr)              \
    {                                            \
        order(addr, HD_RETURN_PC);                      \
    }
ORDER(__tsan_acquire)
ORDER(__tsan_release)
ORDER(heddle_rt_acquire)
ORDER(heddle_rt_release)

#define ORDER_WORD(name)                         \
    HD_EXPORT void name(uintptr_t addr)          \
    {                                            \
        order((void *)addr, HD_RETURN_PC);              \
    }
ORDER_WORD(__tsan_java_acquire)
ORDER_WORD(__tsan_java_release)
ORDER_WORD(__tsan_java_release_store)

#define ORDER_AT(name)                                          \
    HD_EXPORT void name(const char *file, int line, void *addr) \
    {                                                           \
        (void)file, (void)line;                                 \
        order(addr, HD_RETURN_PC);                                     \
    }
ORDER_AT(AnnotateHappensBefore)
ORDER_AT(AnnotateHappensAfter)
ORDER_AT(WTFAnnotateHappensBefore)
ORDER_AT(WTFAnnotateHappensAfter)

/* ---- hints without effect --------------------------------------------------------- */

#define ARG1 void *a
#define ARG2 ARG1, void *b
#define ARG3 ARG2, void *c
#define ARG4 ARG3, void *d
#define ARG5 ARG4, void *e
#define USE1 (void)a
#define USE2 USE1, (void)b
#define USE3 USE2, (void)c
#define USE4 USE3, (void)d
#define USE5 USE4, (void)e

/* Integer and pointer arguments are passed in the same way, and a hint ignores them. */
#define HINT0(name) HD_EXPORT void name(void) { }
#define HINT(n, name) HD_EXPORT void name(ARG##n) { USE##n; }

HINT0(__tsan_flush_memory)
HINT0(__tsan_ignore_thread_begin)
HINT0(__tsan_ignore_thread_end)
HINT(2, __tsan_mutex_create)
HINT(2, __tsan_mutex_destroy)
HINT(2, __tsan_mutex_pre_lock)
HINT(3, __tsan_mutex_post_lock)
HINT(2, __tsan_mutex_post_unlock)
HINT(2, __tsan_mutex_pre_signal)
HINT(2, __tsan_mutex_post_signal)
HINT(2, __tsan_mutex_pre_divert)
HINT(2, __tsan_mutex_post_divert)

/* Returns the number of levels of a recursive lock that the caller releases.  The caller passes that number to
 * post_lock later. */
HD_EXPORT int __tsan_mutex_pre_unlock(void *addr, unsigned flags)
{
    (void)addr, (void)flags;
    return 0;
}

/* (file, line, …) */
HINT(3, AnnotateRWLockCreate)
HINT(3, AnnotateRWLockCreateStatic)
HINT(3, AnnotateRWLockDestroy)
HINT(4, AnnotateRWLockAcquired)
HINT(4, AnnotateRWLockReleased)
HINT(3, AnnotateCondVarSignal)
HINT(3, AnnotateCondVarSignalAll)
HINT(4, AnnotateCondVarWait)
HINT(3, AnnotateMutexIsNotPHB)
HINT(3, AnnotateMutexIsUsedAsCondVar)
HINT(3, AnnotatePCQCreate)
HINT(3, AnnotatePCQDestroy)
HINT(3, AnnotatePCQPut)
HINT(3, AnnotatePCQGet)
HINT(4, AnnotatePublishMemoryRange)
HINT(4, AnnotateUnpublishMemoryRange)
HINT(4, AnnotateNewMemory)
HINT(4, AnnotateMemoryIsInitialized)
HINT(4, AnnotateMemoryIsUninitialized)
HINT(3, AnnotateTraceMemory)
HINT(3, AnnotateThreadName)
HINT(3, AnnotateNoOp)
HINT(3, AnnotateEnableRaceDetection)
HINT(2, AnnotateFlushState)
HINT(2, AnnotateFlushExpectedRaces)
HINT(4, AnnotateExpectRace)
HINT(4, AnnotateBenignRace)
HINT(5, AnnotateBenignRaceSized)
HINT(5, WTFAnnotateBenignRaceSized)
HINT(2, AnnotateIgnoreReadsBegin)
HINT(2, AnnotateIgnoreReadsEnd)
HINT(2, AnnotateIgnoreWritesBegin)
HINT(2, AnnotateIgnoreWritesEnd)
HINT(2, AnnotateIgnoreSyncBegin)
HINT(2, AnnotateIgnoreSyncEnd)

HD_EXPORT int RunningOnValgrind(void)
{
    return 0;
}

HD_EXPORT double ValgrindSlowdown(void)
{
    return 10.0; /* as in TSan; programs scale their timeouts by it */
}

/* ---- objects of uninstrumented libraries --------------------------------------------- */

static char tag_of_externals;

HD_EXPORT void *__tsan_external_register_tag(const char *type)
{
    (void)type;
    return &tag_of_externals;
}
HINT(2, __tsan_external_register_header)
HINT(2, __tsan_external_assign_tag)

HD_EXPORT void __tsan_external_read(void *addr, void *pc, void *tag)
{
    (void)tag;
    hd_plain((uintptr_t)addr, 1, false, hd_shadow_pc((uintptr_t)pc));
}

HD_EXPORT void __tsan_external_write(void *addr, void *pc, void *tag)
{
    (void)tag;
    hd_plain((uintptr_t)addr, 1, true, hd_shadow_pc((uintptr_t)pc));
}

/* ---- fibers of the target -------------------------------------------------------------- */

/* A user context runs on the logical thread that resumed it.  Its accesses count as that thread's. */
static char the_fiber;

HD_EXPORT void *__tsan_get_current_fiber(void)
{
    return &the_fiber;
}

HD_EXPORT void *__tsan_create_fiber(unsigned flags)
{
    (void)flags;
    return &the_fiber;
}
HINT(1, __tsan_destroy_fiber)
HINT(2, __tsan_switch_to_fiber)
HINT(2, __tsan_set_fiber_name)

/* ---- Java ------------------------------------------------------------------------------- */

HINT(2, __tsan_java_init)
HINT(2, __tsan_java_alloc)
HINT(2, __tsan_java_free)
HINT(3, __tsan_java_move)
HINT0(__tsan_java_finalize)

/* The annotation is the only source of order for a monitor of a virtual machine, because no compiler instruments
 * monitors. */
ORDER_WORD(__tsan_java_mutex_lock)
ORDER_WORD(__tsan_java_mutex_unlock)
ORDER_WORD(__tsan_java_mutex_read_lock)
ORDER_WORD(__tsan_java_mutex_read_unlock)

HD_EXPORT void __tsan_java_mutex_lock_rec(uintptr_t addr, int levels)
{
    (void)levels;
    order((void *)addr, HD_RETURN_PC);
}

HD_EXPORT int __tsan_java_mutex_unlock_rec(uintptr_t addr)
{
    order((void *)addr, HD_RETURN_PC);
    return 1;
}

HD_EXPORT int __tsan_java_fini(void)
{
    return 0;
}

HD_EXPORT uintptr_t __tsan_java_find(uintptr_t *from, uintptr_t to)
{
    (void)from, (void)to;
    return 0; /* no object of the Java heap begins there */
}

/* ---- options and call-backs that a target may define itself ------------------------------- */

HD_EXPORT WEAK const char *__tsan_default_options(void)
{
    return "";
}

HD_EXPORT WEAK const char *__tsan_default_suppressions(void)
{
    return "";
}

HD_EXPORT WEAK void __tsan_on_report(void *report)
{
    (void)report;
}

HD_EXPORT WEAK void __tsan_test_only_on_fork(void)
{
}

HD_EXPORT WEAK bool __tsan_symbolize_external(uintptr_t pc, char *func, size_t func_size,
                                              char *file, size_t file_size, int *line,
                                              int *column)
{
    (void)pc, (void)func, (void)func_size, (void)file, (void)file_size, (void)line, (void)column;
    return false;
}

HINT(3, __tsan_symbolize_external_ex)

/* ---- TSan's reports for debuggers: there are none ------------------------------------------ */

HD_EXPORT void *__tsan_get_current_report(void)
{
    return NULL;
}

/* Zero means "not found"; the functions write nothing to the caller's variables, whose number
 * differs. */
#define NO_REPORT(name)                          \
    HD_EXPORT int name(void *report, ...)        \
    {                                            \
        (void)report;                            \
        return 0;                                \
    }
NO_REPORT(__tsan_get_report_data)
NO_REPORT(__tsan_get_report_tag)
NO_REPORT(__tsan_get_report_stack)
NO_REPORT(__tsan_get_report_mop)
NO_REPORT(__tsan_get_report_loc)
NO_REPORT(__tsan_get_report_loc_object_type)
NO_REPORT(__tsan_get_report_mutex)
NO_REPORT(__tsan_get_report_thread)
NO_REPORT(__tsan_get_report_unique_tid)
NO_REPORT(__tsan_get_alloc_stack)

HD_EXPORT const char *__tsan_locate_address(uintptr_t addr, char *name, size_t name_size,
                                            uintptr_t *start, size_t *size)
{
    (void)addr;
    if (name_size != 0)
        name[0] = '\0';
    *start = 0;
    *size = 0;
    return "";
}

/* ---- TSan's own tests -------------------------------------------------------------------- */

/* A barrier in one word, as in TSan's test suite.  Upper half: number of arrivals so far.  Lower half: number of
 * threads per round. */
HD_EXPORT void __tsan_testonly_barrier_init(uint64_t *barrier, uint32_t count)
{
    *barrier = count;
}

/* Waits by polling.  A controlled thread is parked like the target's own loops; without Heddle it
 * yields. */
void hd_impl___tsan_testonly_barrier_wait(uint64_t *barrier)
{
    struct hd_entry_regs entry = hd_entry;
    uint64_t now, pc = HD_RETURN_PC;
    uint64_t before = hd_atomic_add_64(barrier, UINT64_C(1) << 32, &now, __ATOMIC_SEQ_CST, pc);
    uint32_t count = (uint32_t)before;
    uint64_t round = (before >> 32) / count;

    while ((now >> 32) / count == round) {
        if (hd.cur == NULL)
            hd_sys(SYS_sched_yield, 0, 0, 0);
        hd_entry = entry; /* restore it: other threads have overwritten it */
        now = hd_atomic_load_64(barrier, __ATOMIC_SEQ_CST, pc);
    }
}
HD_POLL_ENTRY(__tsan_testonly_barrier_wait);

/* There is no shadow stack of TSan here; its tests only compare two sizes. */
HD_EXPORT uintptr_t __tsan_testonly_shadow_stack_current_size(void)
{
    return 0;
}

/* ---- common to all sanitizers ------------------------------------------------------------ */

HINT0(__sanitizer_print_stack_trace)
HINT0(__sanitizer_dump_coverage)
HINT(1, __sanitizer_set_report_path)
HINT(1, __sanitizer_set_report_fd)
HINT(1, __sanitizer_set_death_callback)
HINT(1, __sanitizer_sandbox_on_notify)
HINT(1, __sanitizer_report_error_summary)

HD_EXPORT const char *__sanitizer_get_report_path(void)
{
    return "";
}

/* True: the caller is the first thread to report a crash. */
HD_EXPORT int __sanitizer_acquire_crash_state(void)
{
    return 1;
}

static void symbolize_nothing(char *out, size_t size)
{
    if (size != 0)
        out[0] = '\0';
}

HD_EXPORT void __sanitizer_symbolize_pc(void *pc, const char *fmt, char *out, size_t size)
{
    (void)pc, (void)fmt;
    symbolize_nothing(out, size);
}

HD_EXPORT void __sanitizer_symbolize_global(void *data, const char *fmt, char *out, size_t size)
{
    (void)data, (void)fmt;
    symbolize_nothing(out, size);
}

HD_EXPORT int __sanitizer_get_module_and_offset_for_pc(void *pc, char *module, size_t size,
                                                       void **offset)
{
    (void)pc, (void)offset;
    symbolize_nothing(module, size);
    return 0;
}

/* Accesses that a program asks to have checked. */
#define UNALIGNED(bits)                                                               \
    typedef uint##bits##_t word##bits __attribute__((aligned(1), may_alias));         \
    HD_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void *p)          \
    {                                                                                 \
        hd_plain((uintptr_t)p, bits / 8, false, HD_RETURN_PC);                               \
        return *(const word##bits *)p;                                                \
    }                                                                                 \
    HD_EXPORT void __sanitizer_unaligned_store##bits(void *p, uint##bits##_t v)       \
    {                                                                                 \
        hd_plain((uintptr_t)p, bits / 8, true, HD_RETURN_PC);                                \
        *(word##bits *)p = v;                                                         \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)
