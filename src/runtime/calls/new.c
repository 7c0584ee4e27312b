/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new.c - operator new, interposed to inject faults (--faults=malloc) and to tell malloc the caller that
 * allocates.  The call goes to the C++ library, whose malloc then fails, so that the real new-handler and the real
 * exception are used.  Calls by code that is not part of the program are passed on unchanged.  If the C++ library
 * was loaded by dlopen, the runtime may not find its operator new; then it uses malloc and injects no fault.
 * Every function ends with a tail call of the real one, so that an exception does not unwind a frame of the
 * runtime.  The names are those of the C++ ABI for x86-64. */
#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#include "runtime/calls/new.h"
#include "base/check.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"
#include "wire/wire.h"

/* Returns the next definition of that name, or `otherwise` if there is none. */
static void *find(const char *name, void *otherwise)
{
    struct hd_thread *t = hd.cur;

    hd.cur = NULL; /* calls that dlsym makes go to libc (core/state.h, R2) */
    void *p = dlsym(RTLD_NEXT, name);

    hd.cur = t;
    return p != NULL ? p : otherwise;
}

#define REAL(name, otherwise)                                                         \
    (__extension__({                                                                  \
        static void *slot_;                                                           \
        (__typeof__(&name))(slot_ != NULL ? slot_                                     \
                                          : (slot_ = find(#name, (void *)(otherwise)))); \
    }))

static void *plain(size_t n)
{
    return malloc(n);
}

static void *aligned(size_t n, size_t align)
{
    return memalign(align, n);
}

static inline void ask(uint64_t pc)
{
    if (hd.cur == NULL)
        return;
    if (hd.cur->new_pc == 0)
        hd.cur->new_pc = pc;
    if (HD_LIKELY(!(hd.cfg->faults & HD_FAULT_MALLOC)) || hd.cur->new_next != HD_NEW_NONE)
        return;
    bool fails = hd_fault_alloc(HD_CALL_NEW, pc);

    hd.cur->new_next = fails ? HD_NEW_FAILS : HD_NEW_ASKED;
}

#define NEW(name)                                                                     \
    extern void *name(size_t n);                                                      \
    HD_EXPORT void *name(size_t n)                                                    \
    {                                                                                 \
        ask(HD_RETURN_PC);                                                                   \
        return REAL(name, plain)(n);                                                    \
    }
NEW(_Znwm)
NEW(_Znam)

/* The second argument is a std::nothrow_t or a std::align_val_t. */
#define NEW2(name, otherwise)                                                         \
    extern void *name(size_t n, size_t how);                                          \
    HD_EXPORT void *name(size_t n, size_t how)                                        \
    {                                                                                 \
        ask(HD_RETURN_PC);                                                                   \
        return REAL(name, otherwise)(n, how);                                           \
    }
NEW2(_ZnwmRKSt9nothrow_t, plain)
NEW2(_ZnamRKSt9nothrow_t, plain)
NEW2(_ZnwmSt11align_val_t, aligned)
NEW2(_ZnamSt11align_val_t, aligned)

#define NEW3(name)                                                                    \
    extern void *name(size_t n, size_t align, const void *nothrow);                   \
    HD_EXPORT void *name(size_t n, size_t align, const void *nothrow)                 \
    {                                                                                 \
        ask(HD_RETURN_PC);                                                                   \
        return REAL(name, aligned)(n, align, nothrow);                                    \
    }
NEW3(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW3(_ZnamSt11align_val_tRKSt9nothrow_t)
