/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new.c - operator new, for faults only (--faults=malloc): the call is passed
 * on to the C++ library, whose malloc then fails, so that its new-handler and its
 * exception are the real ones.  Called by code that is not the program's, it is passed on
 * as it is.
 *
 * Where the library was loaded by dlopen, it may be out of reach from here: then it is
 * malloc, which never fails on request.
 *
 * Every function ends with the call of the real one: an exception finds no frame of ours.
 * The names are those of the C++ ABI for x86-64. */
#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#include "runtime/calls/new.h"
#include "runtime/watch/fault.h"

/* The library's function of that name, or `otherwise`. */
static void *find(const char *name, void *otherwise)
{
    struct hd_thread *t = hd.cur;

    hd.cur = NULL; /* as in real.c */
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
    if (HD_LIKELY(hd.cur == NULL || !(hd.cfg->faults & HD_FAULT_MALLOC)) ||
        hd.cur->new_next != HD_NEW_NONE)
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

/* std::nothrow_t, or std::align_val_t. */
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
