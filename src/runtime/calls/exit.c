/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit.c - exit, _exit, quick_exit, abort and failed assertions.
 *
 * The beginning of exit is an operation on the process: the first thread determines the exit code,
 * and other threads that call exit block for ever.  The real exit runs the handlers as code of the
 * calling thread.  The last of them is hd_exit_last, which the runtime passes to libc as rtld_fini.
 * The process ends when no other thread can run. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/exit.h"
#include "runtime/core/execution.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/output.h"
#include "runtime/core/program.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/report/finding.h"
#include "runtime/restore/process.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/transaction.h"
#include "wire/wire.h"

enum { MAX_FINIS = 256 };

static struct fini {
    void (**array)(void);
    size_t count;
} finis[MAX_FINIS];
static unsigned nfinis;
static bool handlers_before_main; /* constructors registered exit handlers */
static uint32_t handlers_in;      /* the execution that registered exit handlers last */

static struct hd_obj *process_object(void)
{
    static const char name;

    return hd_object(&name, HD_OBJ_PROCESS);
}

static void begin_exit(int code, uint64_t pc)
{
    struct hd_thread *t = hd.cur;
    bool contended = !hd.cfg->study && !hd_thread_is_alone();

    if (t->exiting) { /* exit called by an exit handler: the last code counts */
        hd.exec->exit_code = code;
        return;
    }
    if (contended)
        hd_op(HD_EV_EXIT_BEGIN, process_object(), NULL, pc);
    hd.exit_begun = 1;
    hd_gate_special();
    hd.exec->exit_code = code;
    t->exiting = 1;
    if (contended)
        hd_done((uint64_t)(unsigned)code, 0);
    else if (!hd.cfg->study) /* no other thread exists, so there is nothing to order it with */
        hd_note_alone(HD_EV_EXIT_BEGIN, process_object(), (uint64_t)(unsigned)code, pc);
    hd_state_also(true, HD_STATE_AT_EXIT, true, pc);
}

static _Noreturn void end_process(void)
{
    if (hd_thread_is_alone()) {
        if (HD_UNLIKELY(hd.invariants))
            hd_invariants_look();
        hd_note_alone(HD_EV_EXIT_END, NULL, (uint64_t)(hd.exec->exit_code & 0xff), 0);
    } else {
        hd_op_local(HD_EV_EXIT_END, 0);
        hd_done((uint64_t)(hd.exec->exit_code & 0xff), 0);
    }
    hd_checks_at_end();
    int code = hd.exec->exit_code & 0xff; /* read it now, because the checks may call exit as well */

    if (code != 0)
        hd_report(HD_FK_EXIT_CODE, 0, "the program ended with exit code %d", code);
    hd_execution_over(hd.failed ? HD_END_FAILED : HD_END_CLEAN);
}

/* Does what ld.so would do: finds the destructors that are not registered with atexit.  This is
 * done once, because the set of loaded objects is the same in all executions.  An array with one
 * entry contains only the compiler's own function, which would finalise handlers that exit has
 * already run. */
static int note_fini(struct dl_phdr_info *info, size_t size, void *arg)
{
    const ElfW(Dyn) *dyn = NULL;
    struct fini *f = &finis[nfinis];

    (void)size;
    (void)arg;
    if (hd_program_is_own_or_loader(info->dlpi_addr) || hd_program_is_libc(info->dlpi_addr) ||
        nfinis == MAX_FINIS)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dyn = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; dyn != NULL && dyn->d_tag != DT_NULL; dyn++) {
        if (dyn->d_tag == DT_FINI_ARRAY)
            f->array = (void (**)(void))(info->dlpi_addr + dyn->d_un.d_ptr);
        else if (dyn->d_tag == DT_FINI_ARRAYSZ)
            f->count = dyn->d_un.d_val / sizeof(void *);
    }
    if (f->array != NULL && f->count > 1)
        nfinis++;
    return 0;
}

void hd_exit_last(void)
{
    if (hd.cur == NULL)
        return;
    for (unsigned i = 0; i < nfinis; i++)
        for (size_t k = finis[i].count; k-- > 0;)
            finis[i].array[k]();
    if (hd_changes.io)
        HD_REAL(fflush)(NULL);
    end_process();
}

/* The runtime registers this handler first, so that quick_exit runs it last. */
static void quick_exit_last(void)
{
    if (hd.cur == NULL)
        return;
    if (hd.cfg->expect != HD_EXPECT_NOTHING)
        hd_output_ends();
    end_process();
}

void hd_exit_init(void)
{
    at_quick_exit(quick_exit_last);
    dl_iterate_phdr(note_fini, NULL);
}

extern int __cxa_atexit(void (*)(void *), void *, void *);

/* Makes the registration an operation: the order of registrations determines the order in which handlers run, and
 * a handler that is registered while exit runs the others may run next or never. */
static void register_handler(uint64_t pc)
{
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_AT_EXIT, pc);
    if (hd.cur != NULL && hd.exit_begun && !hd.cur->exiting)
        hd_fact(HD_FACT_STATE);
}

HD_EXPORT int __cxa_atexit(void (*fn)(void *), void *arg, void *dso)
{
    register_handler(HD_RETURN_PC);
    if (hd.cur == NULL && !hd.in_main)
        handlers_before_main = true;
    else
        handlers_in = hd.epoch;
    return HD_REAL(__cxa_atexit)(fn, arg, dso);
}

HD_EXPORT int on_exit(void (*fn)(int, void *), void *arg)
{
    register_handler(HD_RETURN_PC);
    handlers_in = hd.epoch;
    return HD_REAL(on_exit)(fn, arg);
}

/* If there are no handlers, the real exit would only write to libc's data, and Heddle would have to
 * restore it after every execution.  So the real exit is not called. */
void hd_exit_run(int code, uint64_t pc)
{
    begin_exit(code, pc);
    hd_thread_run_tls_dtors();
    if (!handlers_before_main && handlers_in != hd.epoch)
        hd_exit_last();
    HD_REAL(exit)(code);
    __builtin_unreachable();
}

HD_EXPORT _Noreturn void exit(int code)
{
    if (hd.cur == NULL) {
        HD_REAL(exit)(code);
        __builtin_unreachable();
    }
    hd_tx_calls_kernel(HD_RETURN_PC);
    hd_exit_run(code, HD_RETURN_PC);
}

_Noreturn void hd_exit_at_once(int code, uint64_t pc)
{
    if (hd.cur == NULL)
        for (;;)
            hd_sys(SYS_exit_group, code, 0, 0);
    hd_tx_calls_kernel(pc);
    begin_exit(code, pc);
    if (hd.cfg->expect != HD_EXPECT_NOTHING)
        hd_output_ends();
    end_process();
}

HD_EXPORT _Noreturn void _exit(int code)
{
    hd_exit_at_once(code, HD_RETURN_PC);
}

HD_EXPORT _Noreturn void _Exit(int code)
{
    hd_exit_at_once(code, HD_RETURN_PC);
}

HD_EXPORT _Noreturn void quick_exit(int code)
{
    hd_tx_calls_kernel(HD_RETURN_PC);
    if (hd.cur != NULL)
        begin_exit(code, HD_RETURN_PC);
    HD_REAL(quick_exit)(code);
    __builtin_unreachable();
}

HD_EXPORT _Noreturn void abort(void)
{
    hd_checks_blame_previous();
    if (hd.cur == NULL) {
        HD_REAL(abort)();
        __builtin_unreachable();
    }
    hd_fail(HD_FK_ABORT, HD_RETURN_PC, "T%u called abort()", hd.cur->tid);
}

extern _Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);
extern _Noreturn void __assert_perror_fail(int, const char *, unsigned, const char *);

HD_EXPORT _Noreturn void __assert_fail(const char *expr, const char *file, unsigned line,
                                       const char *function)
{
    hd_checks_blame_previous();
    if (hd.cur == NULL) {
        HD_REAL(__assert_fail)(expr, file, line, function);
        __builtin_unreachable();
    }
    hd_fail(HD_FK_ASSERTION, HD_RETURN_PC, "assertion `%s' failed at %s:%u in %s", expr, file, line,
            function != NULL ? function : "?");
}

HD_EXPORT _Noreturn void __assert_perror_fail(int error, const char *file, unsigned line,
                                              const char *function)
{
    hd_checks_blame_previous();
    if (hd.cur == NULL) {
        HD_REAL(__assert_perror_fail)(error, file, line, function);
        __builtin_unreachable();
    }
    hd_fail(HD_FK_ASSERTION, HD_RETURN_PC, "unexpected error %d at %s:%u in %s", error, file, line,
            function != NULL ? function : "?");
}
