/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api.c - the functions that <heddle/heddle.h> calls when the program runs under Heddle.  That
 * header declares them weak.  This file does not include it, because that would make the
 * definitions weak, too. */
#include <stdint.h>

#include "runtime/calls/misc.h"
#include "runtime/core/entry.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/progress/prologue.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/checks.h"
#include "runtime/worker/late_start.h"

unsigned heddle_rt_choose(unsigned n);
void heddle_rt_point(const char *name);
int heddle_rt_active(void);
void heddle_rt_failed(const char *expr, const char *file, unsigned line);
void heddle_rt_assume(int holds, const char *expr, const char *file, unsigned line);
void heddle_rt_always(int (*holds)(void *), void *arg, const char *expr, const char *file,
                      unsigned line);
void *heddle_rt_keep(unsigned long size);
void heddle_rt_broken(const char *expr);
void heddle_rt_at_end(void (*fn)(void *), void *arg);
void heddle_rt_atomic_begin(void);
void heddle_rt_atomic_end(void);
void heddle_rt_yield(void);
void heddle_rt_thread_name(const char *name);
void heddle_rt_start(void);
void hd_impl_heddle_rt_yield(void);
void hd_assembly_point(uint64_t pc);

HD_EXPORT unsigned heddle_rt_choose(unsigned n)
{
    if (hd.cur == NULL || n < 2)
        return 0;
    if (n > UINT16_MAX)
        hd_fail(HD_FK_CHECK_FAILED, HD_RETURN_PC, "heddle_choose(%u): at most %u alternatives", n,
                (unsigned)UINT16_MAX);
    return hd_choose(n, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_point(const char *name)
{
    if (hd.cur == NULL)
        return;
    static const char anything; /* one object for all such points, because Heddle does not know what
                                 * they represent */

    hd_op(HD_EV_USER_POINT, hd_object(&anything, HD_OBJ_UNKNOWN), NULL, HD_RETURN_PC);
    hd_done((uint64_t)(uintptr_t)name, 0);
}

/* The stub heddle_rt_assembly calls this.  Heddle does not know what the assembly does: it
 * conflicts with all other such places, and orders the events before it and after it. */
void hd_assembly_point(uint64_t pc)
{
    static const char assembly;

    if (hd.cur == NULL)
        return;
    hd_op(HD_EV_UNKNOWN, hd_object(&assembly, HD_OBJ_UNKNOWN), NULL, pc);
    hd_done(0, 0);
}

HD_EXPORT int heddle_rt_active(void)
{
    return hd.cur != NULL;
}

HD_EXPORT void heddle_rt_failed(const char *expr, const char *file, unsigned line)
{
    hd_checks_blame_previous();
    if (hd.cur != NULL)
        hd_fail(HD_FK_CHECK_FAILED, HD_RETURN_PC, "heddle_assert(%s) failed at %s:%u", expr, file, line);
}

HD_EXPORT void heddle_rt_assume(int holds, const char *expr, const char *file, unsigned line)
{
    (void)expr;
    if (hd.cur != NULL)
        hd_assume(holds != 0, file, line, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_always(int (*holds)(void *), void *arg, const char *expr, const char *file,
                                unsigned line)
{
    if (hd.cur != NULL)
        hd_invariants_add(holds, arg, expr, file, line, HD_RETURN_PC);
}

HD_EXPORT void *heddle_rt_keep(unsigned long size)
{
    return hd.cur != NULL ? hd_invariants_keep(size, HD_RETURN_PC) : NULL;
}

HD_EXPORT void heddle_rt_broken(const char *expr)
{
    hd_invariants_broken(expr);
}

HD_EXPORT void heddle_rt_at_end(void (*fn)(void *), void *arg)
{
    if (hd.cur != NULL)
        hd_at_end_add(fn, arg, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_atomic_begin(void)
{
    if (hd.cur != NULL)
        hd_section_enter(HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_atomic_end(void)
{
    if (hd.cur != NULL)
        hd_section_exit(HD_RETURN_PC);
}

HD_POLL_ENTRY(heddle_rt_yield);
void hd_impl_heddle_rt_yield(void)
{
    if (hd.cur != NULL)
        hd_yield(HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_thread_name(const char *name)
{
    if (hd.cur != NULL)
        hd_set_name(name);
}

HD_EXPORT void heddle_rt_start(void)
{
    if (hd.cur != NULL && hd_prologue_leave())
        hd_late_start();
}
