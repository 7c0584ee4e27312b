/* SPDX-License-Identifier: BSD-2-Clause
 *
 * itm.c - the functions that gcc -fgnu-tm calls (the ABI of libitm), under Heddle.
 *
 * Code compiled by `heddle cc` also calls TSan's hooks for each access, even inside transactions and in
 * transactional clones of functions.  So the functions here only read and write memory: if they announced the
 * accesses too, each would count twice.  The table of clones lists the functions that may run in a transaction. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_weak.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- transactions ------------------------------------------------------------------------------- */

HD_EXPORT void _ITM_commitTransaction(void)
{
    hd_itm_commit(HD_RETURN_PC);
}

HD_EXPORT void _ITM_commitTransactionEH(void *exception)
{
    (void)exception;
    hd_itm_commit(HD_RETURN_PC);
}

HD_EXPORT void _ITM_abortTransaction(int reason)
{
    hd_itm_cancel((uint32_t)reason, HD_RETURN_PC);
}

HD_EXPORT void _ITM_changeTransactionMode(int mode)
{
    (void)mode; /* there is only one: irrevocable */
    hd_itm_irrevocable(HD_RETURN_PC);
}

/* 0: outside; 1: inside, can be undone. */
HD_EXPORT int _ITM_inTransaction(void)
{
    return hd_tx_active || hd_tx_weak_is_inside();
}

HD_EXPORT uint32_t _ITM_getTransactionId(void)
{
    return hd_tx_active || hd_tx_weak_is_inside() ? 2 : 1;
}

/* gcc emits no calls of the following functions. */
HD_EXPORT void _ITM_addUserCommitAction(void (*function)(void *), uint64_t transaction, void *argument)
{
    (void)function;
    (void)transaction;
    (void)argument;
    hd_itm_act();
}

HD_EXPORT void _ITM_addUserUndoAction(void (*function)(void *), void *argument)
{
    (void)function;
    (void)argument;
    hd_itm_act();
}

/* Only saves a library work. */
HD_EXPORT void _ITM_dropReferences(void *p, size_t size)
{
    (void)p;
    (void)size;
}

/* ---- clones --------------------------------------------------------------------------------------- */

/* The tables of the loaded objects: functions that were compiled for transactions, each with its clone. */
struct clone {
    void *function, *clone;
};

enum { TABLES = 64 };

static struct {
    const struct clone *table; /* NULL: none */
    size_t n;
} tables[TABLES];

HD_EXPORT void _ITM_registerTMCloneTable(void *table, size_t n)
{
    unsigned i = 0;

    while (i < TABLES && tables[i].table != NULL)
        i++;
    HD_INVARIANT(i < TABLES, "more than 64 objects with functions for transactions");
    tables[i].table = table;
    tables[i].n = n;
}

HD_EXPORT void _ITM_deregisterTMCloneTable(void *table)
{
    for (unsigned i = 0; i < TABLES; i++)
        if (tables[i].table == table)
            tables[i].table = NULL;
}

static void *clone_of(const void *function)
{
    for (unsigned i = 0; i < TABLES; i++)
        for (size_t k = 0; tables[i].table != NULL && k < tables[i].n; k++)
            if (tables[i].table[k].function == function)
                return tables[i].table[k].clone;
    return NULL;
}

HD_EXPORT void *_ITM_getTMCloneOrIrrevocable(void *function)
{
    void *clone = clone_of(function);

    if (clone != NULL)
        return clone;
    hd_itm_irrevocable(HD_RETURN_PC);
    return function;
}

HD_EXPORT void *_ITM_getTMCloneSafe(void *function)
{
    return _ITM_getTMCloneOrIrrevocable(function);
}

/* ---- accesses ------------------------------------------------------------------------------------- */

#define READ(how, type, name) \
    HD_EXPORT type _ITM_##how##name(const type *p) \
    { \
        return *p; \
    }
#define WRITE(how, type, name) \
    HD_EXPORT void _ITM_##how##name(type *p, type value) \
    { \
        *p = value; \
    }
#define LOG(type, name) \
    HD_EXPORT void _ITM_L##name(const type *p) \
    { \
        (void)p; \
    }
#define ACCESSES(type, name) \
    READ(R, type, name) READ(RaR, type, name) READ(RaW, type, name) READ(RfW, type, name) \
    WRITE(W, type, name) WRITE(WaR, type, name) WRITE(WaW, type, name) LOG(type, name)

typedef int hd_m64 __attribute__((vector_size(8)));
typedef float hd_m128 __attribute__((vector_size(16)));
typedef float hd_m256 __attribute__((vector_size(32)));

ACCESSES(uint8_t, U1)
ACCESSES(uint16_t, U2)
ACCESSES(uint32_t, U4)
ACCESSES(uint64_t, U8)
ACCESSES(float, F)
ACCESSES(double, D)
ACCESSES(long double, E)
ACCESSES(_Complex float, CF)
ACCESSES(_Complex double, CD)
ACCESSES(_Complex long double, CE)
ACCESSES(hd_m64, M64)
ACCESSES(hd_m128, M128)
#pragma GCC push_options
#pragma GCC target("avx") /* only programs that use AVX call these */
ACCESSES(hd_m256, M256)
#pragma GCC pop_options

HD_EXPORT void _ITM_LB(const void *p, size_t size)
{
    (void)p;
    (void)size;
}

/* n: not transactional, t: transactional; aR, aW: after a read, after a write of the same memory. */
#define COPY(call, how) \
    HD_EXPORT void _ITM_##call##how(void *to, const void *from, size_t n) \
    { \
        call(to, from, n); \
    }
#define COPIES(call) \
    COPY(call, RnWt) COPY(call, RnWtaR) COPY(call, RnWtaW) COPY(call, RtWn) COPY(call, RtWt) COPY(call, RtWtaR) \
    COPY(call, RtWtaW) COPY(call, RtaRWn) COPY(call, RtaRWt) COPY(call, RtaRWtaR) COPY(call, RtaRWtaW) \
    COPY(call, RtaWWn) COPY(call, RtaWWt) COPY(call, RtaWWtaR) COPY(call, RtaWWtaW)

COPIES(memcpy)
COPIES(memmove)

#define SET(how) \
    HD_EXPORT void _ITM_memset##how(void *p, int value, size_t n) \
    { \
        memset(p, value, n); \
    }

SET(W)
SET(WaR)
SET(WaW)

/* ---- the heap --------------------------------------------------------------------------------------- */

HD_EXPORT void *_ITM_malloc(size_t size)
{
    return malloc(size);
}

HD_EXPORT void *_ITM_calloc(size_t n, size_t size)
{
    return calloc(n, size);
}

HD_EXPORT void _ITM_free(void *p)
{
    free(p);
}

/* ---- C++ -------------------------------------------------------------------------------------------- */

/* Functions of the C++ library, if the program uses it. operator new and the exceptions allocate by malloc, so an
 * abort frees what they have allocated.  The abort also restores the exceptions in flight (watch/transaction.c). */
#define WEAK __attribute__((weak))
void *__cxa_allocate_exception(size_t size) WEAK;
void __cxa_free_exception(void *exception) WEAK;
void __cxa_throw(void *exception, void *type, void (*destructor)(void *)) WEAK;
void *__cxa_begin_catch(void *exception) WEAK;
void __cxa_end_catch(void) WEAK;
void *_Znwm(size_t size) WEAK;
void *_Znam(size_t size) WEAK;
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow) WEAK;
void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow) WEAK;
void _ZdlPv(void *p) WEAK;
void _ZdaPv(void *p) WEAK;

HD_EXPORT void *_ITM_cxa_allocate_exception(size_t size)
{
    return __cxa_allocate_exception(size);
}

HD_EXPORT void _ITM_cxa_free_exception(void *exception)
{
    __cxa_free_exception(exception);
}

HD_EXPORT void _ITM_cxa_throw(void *exception, void *type, void (*destructor)(void *))
{
    __cxa_throw(exception, type, destructor);
}

HD_EXPORT void *_ITM_cxa_begin_catch(void *exception)
{
    return __cxa_begin_catch(exception);
}

HD_EXPORT void _ITM_cxa_end_catch(void)
{
    __cxa_end_catch();
}

/* The clones of operator new and delete. */
HD_EXPORT void *_ZGTtnwm(size_t size)
{
    return _Znwm(size);
}

HD_EXPORT void *_ZGTtnam(size_t size)
{
    return _Znam(size);
}

HD_EXPORT void *_ZGTtnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return _ZnwmRKSt9nothrow_t(size, nothrow);
}

HD_EXPORT void *_ZGTtnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
    return _ZnamRKSt9nothrow_t(size, nothrow);
}

#define DELETE(name, real, ...) \
    HD_EXPORT void _ZGTt##name(void *p, ##__VA_ARGS__) \
    { \
        real(p); \
    }

DELETE(dlPv, _ZdlPv)
DELETE(daPv, _ZdaPv)
DELETE(dlPvRKSt9nothrow_t, _ZdlPv, const void *nothrow __attribute__((unused)))
DELETE(daPvRKSt9nothrow_t, _ZdaPv, const void *nothrow __attribute__((unused)))
DELETE(dlPvm, _ZdlPv, size_t size __attribute__((unused)))
DELETE(dlPvmRKSt9nothrow_t, _ZdlPv, size_t size __attribute__((unused)), const void *nothrow __attribute__((unused)))
